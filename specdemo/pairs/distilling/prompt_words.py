"""The words, by kind, that the prompt generator fills its templates with; sentences and short texts to work on are kinds too."""

from __future__ import annotations


def _words(text: str) -> list[str]:
    return [" ".join(word.split()) for word in text.split("|" if "|" in text else ",")]


WORDS: dict[str, list[str]] = {
    "subject": _words(
        """
        photosynthesis, gravity, the water cycle, evolution, electricity, the solar system, black holes, volcanoes,
        earthquakes, the weather, climate change, magnetism, sound waves, light, atoms, DNA, the human heart, the immune
        system, vaccines, antibiotics, sleep, memory, the brain, digestion, bones, muscles, plate tectonics, tides, the
        seasons, rainbows, the moon, comets, stars, galaxies, rockets, satellites, the internet, computers, artificial
        intelligence, machine learning, encryption, batteries, solar panels, wind turbines, nuclear power, steam
        engines, bridges, the printing press, democracy, inflation, supply and demand, taxes, banks, interest rates,
        insurance, the stock market, recycling, composting, biodiversity, coral reefs, rainforests, deserts, glaciers,
        rivers, the ocean, oxygen, carbon dioxide, water, salt, sugar, protein, vitamins, fermentation, baking soda,
        enzymes, bacteria, viruses, fungi, algae, pollination, migration, hibernation, camouflage, food chains, fossils,
        dinosaurs, the Stone Age, the Roman Empire, ancient Egypt, ancient Greece, the Renaissance, the Industrial
        Revolution, the French Revolution, the First World War, the Second World War, the Cold War, the Silk Road, the
        Great Wall of China, the pyramids, Shakespeare, Mozart, jazz, painting, photography, architecture, poetry,
        grammar, punctuation, probability, fractions, prime numbers, geometry, algebra, statistics, logic, infinity,
        time zones, calendars, maps, compasses, clocks, glass, paper, steel, plastic, concrete, wood, cotton, silk,
        chocolate, coffee, tea, bread, cheese, honey, chess, football, tennis, swimming, the Olympic Games, yoga,
        meditation
        """
    ),
    "skill": _words(
        """
        learn a new language, cook rice, bake bread, make a cup of tea, ride a bicycle, swim, play the guitar, play
        chess, write a letter, write a poem, write a story, give a speech, prepare for an exam, manage my time, save
        money, plan a trip, grow tomatoes, plant a tree, take care of a cat, train a dog, clean a kitchen, organize a
        desk, fix a flat tire, paint a room, sew a button, iron a shirt, start running, stretch before exercise, sleep
        better, drink more water, eat more vegetables, make new friends, apologize to a friend, ask for help, say no
        politely, write an email to my boss, write a resume, find a job, prepare for an interview, learn to code, write
        a for loop in Python, sort a list in Python, read a file in Python, take good photographs, draw a horse, fold a
        paper plane, build a birdhouse, make a budget, choose a book, remember names, stop procrastinating, stay calm,
        be more creative, teach a child to read, explain fractions to a child, make pancakes, make tomato soup, cook
        pasta, make a salad, bake an apple pie, boil an egg, sharpen a knife, store vegetables, remove a stain, wash a
        sweater, pack a suitcase, read a map, use a compass, observe the stars, keep a diary, set goals, work in a team,
        lead a meeting, memorize a poem, solve a crossword, tie a tie, wrap a present
        """
    ),
    "place": _words(
        """
        France, Germany, Italy, Spain, Portugal, England, Scotland, Ireland, Norway, Sweden, Finland, Denmark, Poland,
        Austria, Switzerland, Greece, Turkey, Egypt, Morocco, Kenya, Nigeria, South Africa, India, China, Japan, South
        Korea, Vietnam, Thailand, Indonesia, Australia, New Zealand, Canada, Mexico, Brazil, Argentina, Peru, Chile,
        Russia, Ukraine, Iceland, Cuba, Paris, London, Rome, Berlin, Madrid, Vienna, Prague, New York, Chicago, San
        Francisco, Tokyo, Kyoto, Beijing, Mumbai, Cairo, Sydney, Amsterdam, Venice, Istanbul
        """
    ),
    "animal": _words(
        """
        fox, cat, dog, owl, bear, mouse, rabbit, elephant, lion, tiger, whale, dolphin, penguin, eagle, turtle, snake,
        frog, bee, ant, spider, horse, cow, sheep, goat, pig, duck, chicken, wolf, deer, squirrel, hedgehog, crocodile,
        shark, octopus, monkey, kangaroo, koala, camel, giraffe, zebra, butterfly, bat, crow, parrot, salmon
        """
    ),
    "person": _words(
        """
        a young girl, an old fisherman, a lonely robot, a brave knight, a curious scientist, a tired teacher, a clever
        thief, a shy boy, a retired detective, a lost traveler, a baker, a gardener, a pilot, a sailor, a violinist, a
        king without a crown, a poor farmer, two sisters, three friends, a grandmother, a ghost, a dragon, a small dog,
        a talking cat, an astronaut, a lighthouse keeper, a wizard, a painter, a shepherd, a librarian
        """
    ),
    "setting": _words(
        """
        a small village, a big city, a dark forest, an old castle, a spaceship, a desert, a mountain, a lonely island, a
        train, a school, a library, a garden, a lighthouse, a winter storm, a market, an empty house, a hospital, the
        bottom of the sea, the moon, a future without books
        """
    ),
    "name": _words(
        """
        Anna, Ben, Clara, David, Emma, Frank, Grace, Henry, Isabel, Jack, Kate, Leo, Maria, Nora, Oliver, Paul, Rosa,
        Sam, Tina, Victor, Wendy, Yusuf, Zoe, Mei, Arjun, Fatima, Kofi, Lars, Ingrid, Pedro
        """
    ),
    "thing": _words(
        """
        bicycle, telephone, book, chair, lamp, umbrella, piano, camera, computer, refrigerator, car, train, airplane,
        ship, clock, mirror, candle, spoon, knife, backpack, pencil, window, door, bridge, garden, kitchen, shoe, coat,
        hat, ring, key, coin, map, letter, newspaper, radio, bed, blanket, wheel, ladder
        """
    ),
    "food": _words(
        """
        apples, bananas, rice, pasta, potatoes, tomatoes, carrots, onions, garlic, eggs, milk, cheese, bread, chicken,
        fish, beans, lentils, mushrooms, spinach, lemons, strawberries, chocolate, nuts, oats, soup, pizza, pancakes,
        salad, curry, tacos
        """
    ),
    "job": _words(
        """
        teacher, doctor, nurse, engineer, lawyer, cook, farmer, carpenter, plumber, electrician, programmer, designer,
        writer, journalist, musician, actor, pilot, firefighter, police officer, librarian, scientist, accountant,
        salesperson, manager, translator
        """
    ),
    "feeling": _words(
        """
        happy, sad, angry, tired, nervous, lonely, proud, excited, bored, grateful, jealous, confused, hopeful, afraid,
        calm
        """
    ),
    "style": _words(
        """
        a pirate, a poet, a scientist, a child, a news reporter, a sports commentator, a philosopher, a grandmother,
        Shakespeare, a detective, a tour guide, a salesperson
        """
    ),
    "word": _words(
        """
        happy, big, small, fast, slow, beautiful, difficult, easy, important, strong, weak, quiet, loud, bright, dark,
        old, new, good, bad, kind, brave, honest, careful, generous, curious, ambitious, fragile, ancient, serene,
        diligent, ubiquitous, ephemeral
        """
    ),
    "language": _words(
        """
        French, Spanish, German, Italian, Portuguese, Dutch, Latin
        """
    ),
    "sentence": _words(
        """
        The cat sat on the warm windowsill and watched the rain | She don't like going to the market on Sundays | I has
        been working here since three years | The meeting was moved to Friday because the manager is ill | He runned to
        the station but the train had already left | We are very sorry for the delay of your order | The old house at
        the end of the street is finally being sold | Their going to there house over they're | Please send me the
        report as soon as possible | The experiment failed because the temperature was too high | My sister and me went
        to the cinema last night | It was a dark and stormy night and nobody dared to go outside | The children was
        playing in the garden | Thanks for your help yesterday | You must finish the work today | The soup is too salty
        but the bread is excellent | I am not able to attend the party | The company plans to open five new shops next
        year | This movie is the worst thing I have ever seen | The teacher explained the lesson twice
        """
    ),
    "fact": _words(
        """
        The first railway lines were built to carry coal from mines to rivers. Soon people wanted to travel on them as
        well and within thirty years most large towns were connected. | Bees visit flowers to collect nectar and pollen.
        While they do so they carry pollen from one flower to another and many plants cannot make seeds without them. |
        The library opens at nine on weekdays and at ten on Saturdays. Members may borrow up to six books for three
        weeks and late books cost ten cents a day. | Glaciers form where more snow falls in winter than melts in summer.
        The snow is pressed into ice that slowly flows downhill and carves deep valleys. | Tom lost his keys on Monday.
        He looked in the car and in the kitchen and under the sofa. On Thursday his daughter found them in the fridge
        next to the butter. | Coffee was first drunk in the Middle East. Traders brought it to Europe in the seventeenth
        century where coffee houses became places to read the news and to do business. | Our team tested the new pump
        for two weeks. It used a fifth less power than the old one but it was louder and the seal had to be replaced
        once. | The river rises in the mountains and runs through three countries before it reaches the sea. Ships can
        use its lower half but the upper part is too shallow and too fast.
        """
    ),
    "number": _words(
        """
        three, four, five, six, seven, ten
        """
    ),
    "opening": _words(
        """
        The fox looked at the moon and | It was raining when | In the beginning | The most important thing about | Once
        upon a time there was | Dear Sir or Madam, | Today I want to talk about | The history of | There are several
        reasons why | When I was a child, I | Scientists have discovered that | The old man opened the door and | In
        this article, we will | She had never seen such | My favorite season is | The best way to | According to the
        report, | At the end of the street | Nobody knew why | The recipe is simple: first | Last summer we | After the
        war, | The capital of | The main character of the story | One of the greatest | Water is | The purpose of this
        letter is | Many people believe that | The train left the station | If you want to
        """
    ),
}
