"""Words for making things: stories, poems, names and titles, sums, conversions and programs."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "person": """
        a young girl, an old fisherman, a lonely robot, a brave knight, a curious scientist, a tired teacher, a clever thief,
        a shy boy, a retired detective, a lost traveler, a baker, a gardener, a pilot, a sailor, a violinist, a king without
        a crown, a poor farmer, a grandmother, a ghost, a dragon, a small dog, a talking cat, an astronaut, a lighthouse
        keeper, a wizard, a painter, a shepherd, a librarian, a clockmaker, a taxi driver, a night nurse, a circus clown, a
        chess champion, a spy, a forgetful professor, a postman, a princess who hates dancing, a giant, a mermaid, a vampire
        who faints at blood, a snowman, a scarecrow, an inventor, a beekeeper, a mapmaker, a street musician, a young chef, a
        mountain guide, an heir to a castle, a time traveler, a deaf composer, a truck driver, an apprentice magician, a
        goalkeeper, a new student, a lost tourist, a museum guard, a stubborn mule, a young wolf, an honest politician
    """,
    "setting": """
        a small village, a big city, a dark forest, an old castle, a spaceship, a desert, a mountain hut, a night train, a
        school, a library, a garden, a lighthouse, a winter storm, a busy market, an empty house, a hospital, the bottom of
        the sea, the moon, a future without books, a submarine, a harbor at dawn, an airport at midnight, a railway station,
        a flooded town, a museum after closing time, a circus tent, a monastery, a gold mine, a jungle, a frozen lake, a
        farm in spring, a laundromat, a rooftop, a hotel corridor, an underground city, a theater, a vineyard, a swamp
    """,
    "name": """
        Anna, Ben, Clara, David, Emma, Frank, Grace, Henry, Isabel, Jack, Kate, Leo, Maria, Nora, Oliver, Paul, Rosa, Sam,
        Tina, Victor, Wendy, Yusuf, Zoe, Mei, Arjun, Fatima, Kofi, Lars, Ingrid, Pedro, Aisha, Boris, Carmen, Diego, Elena,
        Felix, Gita, Hassan, Ines, Jonas, Keiko, Lucy, Marco, Nina, Omar, Priya, Quentin, Ruth, Sofia, Tom, Uma, Walter
    """,
    "thing": """
        bicycle, telephone, book, chair, lamp, umbrella, piano, camera, computer, car, clock, mirror, candle, spoon, knife,
        backpack, pencil, hat, ring, key, coin, map, letter, newspaper, radio, blanket, ladder, teapot, suitcase, pillow,
        kite, violin, basket, bottle, hammer, typewriter, telescope, compass, wallet, scarf, button, comb, kettle, lantern,
        drum, rope, shovel, stool, vase, wheelbarrow, whistle, bucket, notebook, brush, jar, paper clip, sock, brick
    """,
    # What happens in a story, after "in which".
    "premise": """
        nobody can tell a lie for a day | a town wakes up without any color | a boy finds a door in a tree | the last
        bookshop on Earth closes | two rivals are stuck in an elevator | a letter arrives forty years late | a dog solves a
        crime | the moon does not rise | a robot learns to bake | a girl can hear what plants think | a thief returns
        everything he stole | a clock runs backward | a dragon is afraid of fire | a ghost wants to move out | somebody wins
        the lottery and tells no one | a painter paints tomorrow's news | a ship finds a city under the ice | a teacher
        becomes a student again | a cat runs for mayor | a snowman survives the summer | an old couple meets again as
        strangers | a child befriends a whale | a king swaps places with a cook | all phones stop working | a bridge refuses
        to be crossed | a farmer finds a fallen star | the wrong suitcase changes a life | a shy man becomes famous by
        mistake | a witch opens a pharmacy | a train never stops | a map shows a street that does not exist | a mirror shows
        another person | a wish comes true one word at a time | two spies fall in love | a grandmother learns to skateboard
        | a library lends out memories | a violin plays by itself | the tallest mountain begins to shrink | a postman reads
        one letter too many | a mouse saves an elephant | a storm brings back a lost boat | an astronaut forgets the way home
        | a village votes on the weather | a detective investigates his own past | a shadow leaves its owner | a cook loses
        his sense of taste | a family lives in a lighthouse | a museum statue wakes up at night | a bee refuses to make
        honey | a gift must be passed on | the sea gives back a ring | a boy trades his voice for wings | a bus takes the
        wrong road | a scarecrow makes friends with crows | a wizard fails his exam | an actor forgets who he is | twins are
        raised in two countries | an inventor builds a machine that listens | a tree grows in a living room | a wolf guards
        a flock of sheep | winter lasts ten years | a stranger knows everybody's name | a knight is too small for his armor |
        a gardener grows a forbidden flower | a message in a bottle gets an answer | a giant wants to dance | a queen hides
        in a market | a pilot lands in the wrong century | the alphabet loses a letter | a fox goes to school | a band plays
        its last concert | a clown cannot laugh | a girl repairs an old radio and hears a voice | a secret tunnel connects
        two enemies | a bear wakes up in the middle of winter | a neighbor disappears | a baker uses the wrong recipe | a
        rumor saves a town | a candle never burns down | a child rules a kingdom for a week | a lost glove finds its partner
        | a parrot repeats a secret | everybody in town has the same dream | a hotel has one room too many
    """,
    "form": """
        a haiku, a limerick, a short poem, a rhyming couplet, a poem of eight lines, a sonnet, a nursery rhyme, a song, a
        lullaby, a riddle in verse, an acrostic poem, a free verse poem, a chant, an ode, a ballad
    """,
    # Titles and names: "Suggest a name for ..."
    "nameable": """
        a bakery, a bookshop, a hair salon, a small café, a pizza place, a band, a choir, a football team, a sailing boat, a
        racehorse, a planet in a novel, a wizard school, a villain, a superhero, a talking dog in a comic, a video game, a
        board game, a podcast about history, a cooking show, a gardening magazine, a school newspaper, a chess club, a
        charity for stray cats, a bicycle repair shop, a flower shop, a toy company, a perfume, a soap, a brand of tea, an
        ice cream flavor, a mobile app for sharing tools, a language school, a dance class, a kitten, a pair of goldfish, a
        parrot, a robot vacuum, a mountain village in a story, a pirate ship, a spaceship
    """,
    # "Suggest a title for ..."
    "titled": """
        a love story set on a train | a talk about sleep | an essay about school uniforms | a cookbook for students | an
        article about bees | a novel about two sisters | a song about leaving home | a film about a lost dog | a poem about
        the sea | a report on traffic | a book of riddles | a speech about courage | a photo of an old harbor | a painting of
        a storm | a newsletter for gardeners | a children's book about a brave snail | a video on fixing bikes | a thriller
        about a missing painting | a diary of a journey through India | a school play about the moon | a lecture on bridges
        | a memoir of a nurse | a comic about lazy superheroes | an exhibition of old toys
    """,
    "group": """
        musical instruments with keys, wind instruments, kinds of dance, board games, card games, team sports, winter sports,
        martial arts, kinds of bread, kinds of cheese, pasta shapes, spices, herbs, root vegetables, tropical fruits, kinds of
        nuts, trees that lose their leaves, evergreen trees, wild flowers, garden flowers, birds that cannot fly, nocturnal
        animals, animals that lay eggs, poisonous animals, sea creatures, insects, breeds of dogs, farm animals, extinct
        animals, metals, gemstones, gases, chemical elements, parts of a flower, parts of a car, parts of a ship, parts of
        speech, punctuation marks, kinds of clouds, kinds of rocks, oceans, continents, European rivers, African countries,
        South American countries, US states, islands, capital cities in Asia, languages spoken in India, currencies, Greek
        gods, Roman emperors, US presidents, Nobel Prize winners, painters, composers, inventors, explorers, novels, fairy
        tales, poets, operas, musicals, science fiction films, programming languages, operating systems, file formats,
        geometric shapes, units of length, units of weight, tools for woodworking, kitchen tools, garden tools, kinds of hats,
        kinds of shoes, fabrics, colors, shades of blue, kinds of furniture, means of transport, professions in a hospital,
        school subjects, holidays, planets, constellations, bones of the body, organs of the body, senses, emotions
    """,
    "number": """
        two, three, four, five, six, seven, eight, ten
    """,
    "count": """
        two, three, four, five, six, seven, eight, nine, eleven, twelve, fourteen, fifteen, eighteen, twenty, twenty-five,
        thirty, thirty-six, forty, forty-five, sixty, seventy-two, eighty, ninety-six, 7, 13, 15, 17, 24, 36, 48, 64, 75, 84,
        99, 120, 144, 150, 175, 225, 240, 256, 320, 500, 750, a hundred, two hundred
    """,
    # Conversions between units of a kind.
    "conversion": """
        miles to kilometers | inches to centimeters | centimeters to inches | feet to meters | meters to feet | pounds to
        kilograms | kilograms to pounds | ounces to grams | liters to gallons | gallons to liters | cups to milliliters |
        hours to minutes | minutes to seconds | days to hours | weeks to days | years to months | degrees Celsius to
        Fahrenheit | degrees Fahrenheit to Celsius | meters to centimeters | grams to kilograms | acres to square meters |
        kilometers per hour to miles per hour | yards to meters | tablespoons to teaspoons | megabytes to gigabytes | dozens
        to single pieces
    """,
    "goods": """
        apples, marbles, books, cookies, stickers, pencils, eggs, tickets, flowers, coins, oranges, stamps, bottles, cards,
        balloons, shells, chairs, candles, sandwiches, buttons
    """,
    # "Write a Python function that ..."
    "code": """
        counts the vowels in a string | reverses a list | adds up the digits of a number | finds the largest number in a list
        | removes duplicates from a list | checks if a number is prime | prints the first twenty Fibonacci numbers | computes a
        factorial | converts Celsius to Fahrenheit | counts the words in a text | finds the longest word in a sentence |
        sorts a list of names by length | merges two dictionaries | reads a file line by line | writes a list to a text file |
        prints a multiplication table | draws a triangle of stars | rolls two dice | picks a random element from a list |
        shuffles a deck of cards | guesses a secret number | counts how often each letter occurs | checks if a year is a leap
        year | computes the average of a list | finds the median of a list | swaps two variables | flattens a nested list |
        splits a list into chunks | finds the common elements of two lists | checks if two words are anagrams | capitalizes
        every word | removes the spaces from a string | replaces vowels with stars | encodes a text with a Caesar cipher |
        turns a number into Roman numerals | converts a number to binary | computes the greatest common divisor | lists all
        divisors of a number | checks if parentheses are balanced | finds the second largest number | computes compound
        interest | calculates the area of a circle | measures how long a function takes | downloads a web page | parses a date
        | prints the current time | counts down from ten | asks for a password until it is right | validates an email address
        | generates a random password | reads a CSV file | sums a column of a table | groups words by their first letter |
        transposes a matrix | multiplies two matrices | does a binary search | sorts a list with bubble sort | implements a
        stack | implements a queue | keeps a bank balance | finds the shortest word in a list | handles division by zero |
        prints a calendar month | plays tic-tac-toe | makes a simple to-do list | simulates a coin toss a hundred times
    """,
    "concept": """
        a variable, a loop, a function, a list, a dictionary, a set, a tuple, a string, an integer, a boolean, a class, an
        object, inheritance, recursion, an exception, a module, a decorator, a generator, a lambda function, list
        comprehension, a regular expression, an array, a linked list, a hash table, a binary tree, a stack, a queue, sorting,
        binary search, an API, JSON, a database index, SQL, HTML, CSS, a web server, version control, a unit test, a bug, a
        breakpoint, a compiler, an infinite loop, indentation, a return value, a global variable, a type hint
    """,
}
