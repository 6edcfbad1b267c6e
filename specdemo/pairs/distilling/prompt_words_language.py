"""Words and texts to work on: sentences, short texts, notes, sayings, styles, languages and openings of plain text."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "style": """
        a pirate, a poet, a scientist, a child, a news reporter, a sports commentator, a philosopher, a grandmother,
        Shakespeare, a detective, a tour guide, a salesperson, a cowboy, a medieval king, a robot, a strict teacher, a
        proud cat, a tired nurse, a lawyer, a weather forecaster, an opera singer, a fortune teller, a grumpy old man, a
        time traveler, a park ranger, a chef, a butler, a rock star, a ghost, an excited puppy
    """,
    "word": """
        happy, big, small, fast, slow, beautiful, difficult, easy, important, strong, weak, quiet, loud, bright, dark, old,
        new, good, bad, kind, brave, honest, careful, generous, curious, ambitious, fragile, ancient, serene, diligent,
        ubiquitous, ephemeral, stubborn, humble, arrogant, reluctant, vivid, subtle, obvious, rare, abundant, scarce,
        gentle, harsh, wealthy, frugal, clumsy, graceful, lazy, eager, cautious, reckless, sincere, vague, precise,
        temporary, permanent, hostile, friendly, gloomy, cheerful, sour, smooth, rough, shallow, deep, narrow, rigid,
        flexible, empty, innocent, polite, rude, clever, foolish, noble, peculiar, ordinary, resilient, pragmatic,
        skeptical, eloquent, meticulous, nostalgic, ambiguous, inevitable, tedious, lucid
    """,
    "noun": """
        moon, river, night, stone, rain, fire, heart, snow, light, sea, road, bell, song, tree, star, bread, clock, cake,
        mouse, house, hand, king, spring, bridge, light, cloud, window, shoe, garden, hat, fish, train, dream, sand, wind
    """,
    "term": """
        serendipity, hypocrisy, bureaucracy, procrastination, solidarity, sustainability, paradox, dilemma, consensus,
        integrity, nostalgia, plagiarism, anonymity, catharsis, charisma, diversity, efficiency, ethics, etiquette,
        feedback, heritage, hierarchy, ideology, incentive, innovation, intuition, legacy, loophole, melancholy, mentor,
        momentum, motive, nuance, obstacle, optimism, perspective, philanthropy, precedent, prejudice, privilege,
        propaganda, rhetoric, sarcasm, stereotype, stigma, strategy, symmetry, taboo, tolerance, vocation, zeitgeist
    """,
    "language": """
        French, Spanish, German, Italian, Portuguese, Dutch, Latin, Swedish
    """,
    "saying": """
        a bird in the hand is worth two in the bush | actions speak louder than words | all that glitters is not gold |
        an apple a day keeps the doctor away | better late than never | birds of a feather flock together | curiosity
        killed the cat | do not count your chickens before they hatch | do not cry over spilled milk | do not judge a book
        by its cover | do not put all your eggs in one basket | every cloud has a silver lining | half a loaf is better
        than none | haste makes waste | honesty is the best policy | it takes two to tango | it never rains but it pours |
        look before you leap | many hands make light work | necessity is the mother of invention | no news is good news |
        one swallow does not make a summer | out of sight, out of mind | practice makes perfect | silence is golden |
        slow and steady wins the race | still waters run deep | strike while the iron is hot | the apple does not fall far
        from the tree | the early bird catches the worm | the grass is always greener on the other side | the pen is
        mightier than the sword | the squeaky wheel gets the grease | there is no smoke without fire | too many cooks spoil
        the broth | two heads are better than one | when in Rome, do as the Romans do | where there is a will, there is a
        way | you cannot have your cake and eat it | you reap what you sow
    """,
    "idiom": """
        break the ice | bite the bullet | spill the beans | hit the nail on the head | kill two birds with one stone | let
        the cat out of the bag | cost an arm and a leg | be under the weather | beat around the bush | burn the midnight oil
        | call it a day | cut corners | get cold feet | go the extra mile | hit the sack | jump on the bandwagon | keep
        an eye on something | miss the boat | pull somebody's leg | rain cats and dogs | see eye to eye | sit on the fence |
        steal somebody's thunder | take something with a grain of salt | turn over a new leaf | add fuel to the fire | be a
        piece of cake | bark up the wrong tree | have butterflies in the stomach | put the cart before the horse | read
        between the lines | throw in the towel | wear your heart on your sleeve | bury the hatchet | have a green thumb
    """,
    "wrong": """
        She don't like going to the market on Sundays | I has been working here since three years | He runned to the
        station but the train had already left | Their going to there house over they're | My sister and me went to the
        cinema last night | The children was playing in the garden | I seen him yesterday at the bus stop | We was very
        tired after the long walk | Me and him are best friends since school | This is the most biggest cake I ever ate |
        She sings very beautiful | He do not know nothing about it | The informations are on the website | I am agree with
        you | Yesterday I go to the doctor and he give me some pills | If I would have known I would have came | Your the
        best teacher in the hole school | There is many people in the room | I look forward to hear from you | The dog
        wagged it's tail | Everyone have their own opinion | He is more taller than his brother | I didn't went to school
        because I was ill | Can you borrow me your pen | The news are very bad today | She is married with a doctor | I
        have visited Paris last year | Who's coat is this | We discussed about the problem for hours | could of been worse
        but i dont mind
    """,
    "sentence": """
        The cat sat on the warm windowsill and watched the rain | The meeting was moved to Friday because the manager is
        ill | We are very sorry for the delay of your order | The old house at the end of the street is finally being sold |
        Please send me the report as soon as possible | The experiment failed because the temperature was too high | It was
        a dark and stormy night and nobody dared to go outside | Thanks for your help yesterday | You must finish the work
        today | The soup is too salty but the bread is excellent | I am not able to attend the party | The company plans to
        open five new shops next year | This movie is the worst thing I have ever seen | The teacher explained the lesson
        twice | Give me the key | You are wrong about the price | I need the money by tomorrow | Your presentation was too
        long and nobody listened | The bus was late again and I missed my appointment | Nobody told me about the change |
        The boy kicked the ball over the fence | A storm destroyed the bridge last night | The chef prepared a wonderful
        meal for the guests | My grandfather built this boat with his own hands | The police are looking for two men in a
        red car | Everyone enjoyed the concert in the park | She opened the letter slowly because she was afraid | He was
        tired, he was hungry, and he wanted to go home | In spite of the fact that it was raining, we went for a walk | Due
        to the fact that the shop was closed, we were not able to buy bread | The dog that belongs to my neighbor is very
        big and very friendly | At this point in time we do not have enough chairs | The museum has a large collection of
        old maps | The price of bread has gone up again | Many students work in the evening to pay for their studies | The
        garden looks lovely in spring | I forgot to lock the door | They will announce the winner at noon | The baby
        finally fell asleep | Sugar is added to the hot milk | The results of the test were better than we expected | We
        should leave now if we want to catch the last train | I would rather stay at home tonight | The island can only be
        reached by boat | My uncle tells the same joke every year | Your dog ruined my flowers | Stop talking during the
        film | This coffee is cold | I do not have time for this | The new software saves us two hours a day | Somebody
        has eaten my sandwich | The road was closed for three days after the flood | I have never been so happy in my
        life | The lake was as smooth as glass | Fewer people read newspapers than before | The nurse asked the patient to
        wait outside | There were a lot of people and it was very loud | He said that he would call me back | The king had
        three daughters and no sons | All our rooms have a view of the sea
    """,
    "fact": """
        The first railway lines were built to carry coal from mines to rivers. Soon people wanted to travel on them as well
        and within thirty years most large towns were connected. | Bees visit flowers to collect nectar and pollen. While
        they do so they carry pollen from one flower to another and many plants cannot make seeds without them. | The
        library opens at nine on weekdays and at ten on Saturdays. Members may borrow up to six books for three weeks and
        late books cost ten cents a day. | Glaciers form where more snow falls in winter than melts in summer. The snow is
        pressed into ice that slowly flows downhill and carves deep valleys. | Tom lost his keys on Monday. He looked in
        the car and in the kitchen and under the sofa. On Thursday his daughter found them in the fridge. | Coffee was
        first drunk in the Middle East. Traders brought it to Europe where coffee houses became places to read the news and
        to do business. | Our team tested the new pump for two weeks. It used a fifth less power than the old one but it was
        louder and the seal had to be replaced once. | The river rises in the mountains and runs through three countries
        before it reaches the sea. Ships can use only its lower half. | Octopuses have three hearts and blue blood. Two of
        the hearts pump blood through the gills and the third supplies the rest of the body. | The town council voted on
        Tuesday to close the main street to cars on Sundays. Shop owners are divided, but most residents are in favor. |
        Paper was invented in China about two thousand years ago. The craft was kept secret for centuries before it
        traveled west along trade routes. | Our flight was delayed by four hours because of fog. The airline gave us
        vouchers for dinner, and we finally landed after midnight. | Potatoes came to Europe from South America. At first
        people distrusted them, but they later became one of the most important foods of the continent. | The heart beats
        about a hundred thousand times a day. It pumps blood through vessels that would circle the Earth if laid end to
        end. | Mrs. Keller has run the village bakery for thirty years. Next month she will hand it over to her niece, who
        plans to add a small café. | Camels store fat, not water, in their humps. They can go for days without drinking and
        then swallow a hundred liters in a few minutes. | The city planted two thousand trees last spring. A year later,
        nine out of ten are still alive, and summer temperatures in the streets have fallen slightly. | Many birds find
        their way by the sun and the stars. Others seem to sense the magnetic field of the Earth. | The study followed
        four hundred office workers for a year. Those who took short walks at noon reported less stress, but they did not
        get more work done. | Lisa wanted a dog, but her landlord did not allow pets. She now walks the dogs of three
        neighbors and is happier than before. | Glass is made from sand, soda and lime. The mixture is melted at a very high
        temperature and shaped while it is still soft. | The swimming pool will be closed in August for repairs. Season
        tickets will be extended by one month, and swimmers can use the pool in the next town. | The Vikings were not only
        raiders. They were also farmers, traders and skilled shipbuilders who reached North America long before Columbus. |
        In 1928 a scientist returned from vacation and found mold in one of his dishes. Around the mold the bacteria had
        died, and this led to the first antibiotic. | Cork comes from the bark of an oak tree. The bark is cut off every
        nine years, and the tree is not harmed. | The recipe takes twenty minutes. Fry the onions, add the rice and the
        broth, stir often, and finish with butter and cheese. | The museum bought the painting for a small sum at a market.
        Experts now believe that it was made by a famous artist and is worth millions. | Electric buses are quiet and clean,
        but they cost more than diesel buses. The city hopes to save on fuel and repairs over the years. | A hiker got lost
        in the hills on Saturday night. Rescuers found him on Sunday morning, cold but unharmed, because he had lit a small
        fire. | Sharks have existed for more than four hundred million years. They are older than trees and survived
        several mass extinctions. | The company sold fewer phones this year but more tablets. Its profit stayed the same,
        and the director spoke of a difficult market. | Salt was once so valuable that soldiers were partly paid with it.
        Some say that this is where the word salary comes from. | The theater group lost its stage in a fire. Until a new
        one is built, it performs in a school hall and in the park. | Bamboo is a kind of grass. Some species grow almost a
        meter a day and are strong enough to be used for building. | Anna takes the same bus every morning. One day the
        driver did not come, and all the passengers realized how little they knew about him. | Bread goes stale faster in
        the fridge than on the table. For longer storage it should be frozen. | Desert plants have many ways to save
        water. Some have thick stems, some have tiny leaves, and some bloom only after rain. | The bridge was opened in
        1932 after eight years of work. At first it carried trams and trains, and today eight lanes of cars cross it. | Our
        school starts a garden project in April. Each class will look after one bed, and the vegetables will be cooked in
        the cafeteria. | Sleep helps the brain to store what we learned during the day. People who sleep too little
        remember less and make more mistakes. | Ants follow scent trails left by other ants. The shorter path is walked
        more often, so its scent grows stronger and more ants choose it. | The old clock in the tower stopped in the war.
        Last week a retired watchmaker repaired it for free, and it struck noon again. | Chocolate is made from the beans of
        a tropical tree. The beans are fermented, dried, roasted and ground before sugar is added. | The number of wolves in
        the region has doubled. Farmers ask for better fences, while biologists welcome the return of the animals. | In some
        countries people greet each other with a bow. The deeper the bow, the greater the respect. | The survey asked a
        thousand people about their breakfast. Half of them eat bread, a quarter eat cereal, and the rest eat nothing at
        all. | Whales sing to each other over great distances. The noise of ships makes it harder for them to be heard. | The
        farmer had a horse that ran away. The neighbors pitied him, but a week later it came back with two wild horses. |
        Rubber trees are tapped by cutting the bark. A white juice runs out, which is collected in small cups and dried. |
        The new law forbids plastic bags in shops from January. Customers may bring their own bags or buy paper ones. | A
        small village in the mountains had no sun in winter. Its people put a giant mirror on a slope, and now light falls
        on the square. | Honey never really spoils. Jars found in ancient tombs were still good after thousands of years. |
        The train leaves at eight and arrives at noon. Passengers to the coast change at the second stop and should sit in
        the front cars. | Some trees warn each other of insects. They release a scent, and trees nearby begin to make bitter
        leaves. | Mr. Ito walked across the whole country in ninety days. He carried a tent, slept in the woods and wrote a
        letter to his son every week. | Soap breaks up grease because one end of its molecules likes water and the other
        likes fat. | The orchestra hired a conductor who is only twenty-four. Critics were doubtful, but the first concert
        sold out. | Lighthouses once needed keepers who lit the lamp each evening. Today nearly all of them run
        automatically. | Two brothers opened a bicycle shop in a garage. Within ten years they had shops in twelve cities,
        yet they still answer letters by hand. | Tea was so expensive in the past that families kept it in a locked box.
        The lady of the house wore the key.
    """,
    "notes": """
        meeting Monday, room changed, bring laptops | rained all day, picnic canceled, played cards | new oven, too small,
        sent back | train at six, forgot ticket, paid fine | dog ran off, found by neighbor, happy children | tall man, red
        scarf, left the shop at nine | born in Ohio, studied art, moved to Paris | sales up, costs up, profit the same |
        patient has fever, no cough, rest for three days | museum closed, went to the park, ate ice cream | two cups flour,
        one egg, mix well, fry in butter | no milk, no bread, go shopping | exam passed, family proud, dinner out | bike
        stolen, police called, bike found | sunny morning, storm at noon, rainbow later | old bridge, too narrow, new one
        planned | first day, nice colleagues, slow computer | grandma's birthday, forty guests, huge cake | concert sold
        out, stood outside, heard everything | house near lake, three rooms, cheap rent | cold water, short swim, hot tea |
        flight canceled, hotel paid, home on Tuesday | bought lamp, wrong color, exchange Friday | heavy snow, school closed,
        built snowman | lost phone, called number, taxi driver answered | small island, no cars, many birds | printer new,
        paper missing, call supplier | film long, ending good, actors great | client wants blue logo, larger letters, by
        Thursday | garden party, wasps, moved inside | forgot umbrella, got wet, caught cold | eagle, two meters wide, eats
        fish, lives by lakes | volcano, last erupted 1902, now quiet | team lost, goalkeeper hurt, next match Sunday | park
        bench, old couple, shared sandwich | elevator stuck, waited an hour, missed call | left keys inside, window open,
        climbed in | new café, good coffee, rude waiter | river flooded, cellar full of water, neighbors helped | cat on
        roof, fire brigade, happy ending | apples cheap, made jam, twelve jars | wedding in May, small church, live band |
        invented 1876, changed communication, first call to the next room | king died, no heir, war for ten years | ship
        left Tuesday, storm, arrived two weeks late | website down, server restarted, fixed by noon | boy, nine, taught
        himself piano, plays on television | slept badly, strong coffee, good day after all | deadline moved, two more weeks,
        team relieved | bus tour, rude guide, wonderful view | tent leaked, slept in car, funny story now | painted kitchen
        yellow, wife hates it, painting again | shop opens ten, closes six, Sundays closed | baby girl, three kilos, both
        well | parcel for neighbor, rang twice, left at door | long line, ticket office closed, bought online | tree fell,
        road blocked, detour through village | order 50 chairs, deliver Monday, pay in cash | hiked nine hours, sore feet,
        great sunset | bread burned, guests laughed, ordered pizza | spilled coffee, keyboard dead, borrowed another
    """,
    "opening": """
        The fox looked at the moon and | It was raining when | In the beginning | The most important thing about | Once upon
        a time there was | Dear Sir or Madam, | Today I want to talk about | The history of | There are several reasons why |
        When I was a child, I | Scientists have discovered that | The old man opened the door and | In this article, we will
        | She had never seen such | My favorite season is | The best way to | According to the report, | At the end of the
        street | Nobody knew why | The recipe is simple: first | Last summer we | After the war, | The capital of | The main
        character of the story | One of the greatest | Water is | The purpose of this letter is | Many people believe that |
        The train left the station | If you want to | Breaking news: | In conclusion, | On the other hand, | For centuries,
        people have | The first step is to | My grandmother always said that | I have never understood why | The doctor told
        me that | Most animals | A good teacher | The city is known for | The problem with | Every morning, | He picked up
        the phone and said: | "Where have you been?" she asked. | The experiment showed that | To make the dough, | You will
        need | In mathematics, | In physics, | During the night | The book tells the story of | The king and the queen | def
        add(a, b): | Question: What is the largest ocean? Answer: | Chapter One | Thank you for | We regret to inform you
        that | The children ran to | Unlike most birds, | It is well known that | The price of | The key to success is | There
        was a knock at the door. | The sun was setting over | Ingredients: | Here are five reasons to | Dear diary, today
    """,
    # Openings that want a noun next.
    "lead": """
        The most important thing about | The history of | Today I want to talk about | Many people have questions about | A
        short guide to | There are many stories about | I have always been interested in | In this article, we will look at
        | Last year I wrote a book about | Few people know much about | She had never heard of | The newspaper wrote about |
        The teacher asked the class about | My favorite memory of | What we know about | The song tells the story of
    """,
}
