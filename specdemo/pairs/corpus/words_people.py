"""Words about people and creatures: names, kin, trades, animals, characters, feelings, ways of speaking and moving."""

from __future__ import annotations

LISTS: dict[str, str] = {
    "girl": """Mina, Ada, Clara, Ines, Lotte, Priya, Yuki, Nora, Tilda, Rosa, Amara, Hana, Freya, Maya, Zoe, Leila, Greta, Ivy, Wanda, Odile,
    Petra, Sofia, Anja, Bella, Cora, Dalia, Elsie, Fatima, Gwen, Hazel, Iris, Jana, Kira, Lena, Marta, Nadia, Olive, Paula, Quilla, Ruth,
    Sara, Thea, Uma, Vera, Willa, Xenia, Yara, Zelda, Agnes, Beatrix, Celia, Dora, Edith, Flora, Gilda, Holly, Imogen, Juno, Kezia, Lucy,
    Mabel, Nell, Opal, Pearl, Rhea, Stella, Tamsin, Una, Viola, Wren, Anouk, Bronte, Chloe, Daphne, Esme, Fern, Signe, Salma, Noor, Mei""",
    "boy": """Tom, Ben, Omar, Kai, Felix, Hugo, Ravi, Jonas, Milo, Otto, Sam, Emil, Pablo, Theo, Axel, Bruno, Caleb, Dario, Elias, Finn,
    Gabriel, Henry, Ivan, Jasper, Kofi, Leo, Magnus, Nils, Oscar, Pedro, Quentin, Rufus, Simon, Tariq, Ulrich, Victor, Walter, Xavier, Yusuf,
    Zack, Albert, Basil, Conrad, Duncan, Edgar, Fergus, Gus, Harold, Isaac, Julian, Karim, Lars, Martin, Noah, Owen, Percy, Ralph, Stefan,
    Tobias, Umar, Vincent, Wilfred, Yannick, Anton, Barnaby, Cyril, Dmitri, Ernest, Floyd, Giles, Horace, Igor, Jacob, Kenji, Lionel""",
    "surname": """Abbott, Baxter, Crane, Dawson, Ellery, Finch, Grove, Hart, Ingram, Jarvis, Keller, Lund, Marsh, North, Oakley, Pepper, Quill,
    Rowe, Stone, Thorn, Underhill, Vance, Wells, Yates, Ashby, Birch, Cobb, Drummond, Flint, Gale, Holloway, Kirby, Larkin, Moss, Nash, Okafor,
    Patel, Reyes, Sato, Tanaka, Weber, Novak, Silva, Haddad, Berg, Costa, Dubois, Moreau, Rossi, Lindgren""",
    "animal": """fox, bear, owl, hare, badger, mouse, otter, hedgehog, squirrel, wolf, deer, frog, toad, crow, goose, duck, cat, dog, donkey,
    goat, sheep, horse, pony, rabbit, beaver, mole, raven, robin, sparrow, heron, swan, turtle, lizard, snail, beetle, ant, bee, cricket,
    elephant, lion, tiger, monkey, giraffe, zebra, camel, penguin, seal, whale, dolphin, crab, octopus, stork, eagle, hawk, magpie, pigeon,
    peacock, parrot, hen, rooster, calf, lamb, piglet, kitten, puppy, weasel, ferret, stoat, lynx, moose, reindeer, bison, panda, koala,
    kangaroo, ostrich, pelican, salamander, newt, bat, dormouse, vole, wren, finch, jay, kestrel, tortoise, gecko, walrus, hippo""",
    "creature": """dragon, giant, robot, goblin, mermaid, unicorn, gnome, troll, fairy, snowman, scarecrow, ghost, wizard, witch, elf, teapot,
    tugboat, kite, lantern, cloud, train, tractor, lighthouse, wooden puppet, paper boat, clockwork bird, river spirit, little star""",
    "trade": """baker, tailor, miller, farmer, fisherman, carpenter, blacksmith, shepherd, gardener, painter, weaver, potter, teacher, sailor,
    doctor, librarian, postman, clockmaker, cobbler, beekeeper, innkeeper, merchant, woodcutter, fiddler, juggler, ferryman, glassblower,
    mapmaker, bookbinder, candlemaker, astronomer, bricklayer, cook, captain, chimney sweep, engineer, goldsmith, hunter, judge, knight,
    lamplighter, mason, nurse, organist, plumber, printer, rope maker, saddler, singer, soldier, toymaker, watchman, wheelwright""",
    "kin": "mother, father, grandmother, grandfather, aunt, uncle, sister, brother, cousin, neighbour, teacher, friend",
    "trait": """kind, clever, lazy, brave, shy, proud, greedy, gentle, curious, stubborn, cheerful, clumsy, patient, lonely, honest, careless,
    timid, generous, grumpy, quiet, merry, restless, thoughtful, bold, absent-minded, wise, foolish, hungry, sleepy, polite, noisy, tidy,
    forgetful, jolly, nervous, modest, vain, hard-working, playful, sensible, dreamy, cunning, loyal, suspicious, talkative, hopeful""",
    "size": "little, small, young, old, big, tall, thin, round, tiny, large, very old, rather small, stout, skinny",
    "feeling": """happy, sad, afraid, angry, tired, proud, ashamed, surprised, worried, lonely, excited, curious, grateful, jealous, calm,
    hopeful, puzzled, disappointed, relieved, embarrassed, bored, delighted, nervous, cross, cheerful, uneasy, thirsty, sleepy, miserable""",
    "said": "said, asked, whispered, cried, answered, replied, called, murmured, laughed, sighed, shouted, muttered, exclaimed, explained",
    "told": "said, answered, replied, whispered, explained, murmured, declared, sighed, admitted, agreed, promised, insisted",
    "adverb": """quietly, slowly, carefully, quickly, gently, softly, suddenly, happily, sadly, bravely, politely, angrily, eagerly, proudly,
    calmly, nervously, loudly, patiently, gladly, wearily, cheerfully, kindly, firmly, thoughtfully, shyly, briskly, clumsily, silently""",
    "went": """walked, ran, hurried, wandered, crept, marched, trotted, climbed, strolled, limped, skipped, stumbled, tiptoed, rushed, set off,
    tramped, sneaked, paced, dashed, plodded""",
    "gesture": """nodded, smiled, laughed, blinked, sighed, shrugged, frowned, yawned, bowed, winked, shook {his} head, looked away,
    looked at the ground, scratched {his} head, rubbed {his} eyes, clapped, jumped up, sat down, turned pale, stared, held {his} breath""",
    "body": "head, ear, nose, foot, back, chin, shoulder, knee, tail, eye, leg, neck",
    "pet": "cat, dog, parrot, rabbit, pony, tortoise, goldfish, hamster, canary, ferret, hen, mouse, goat, lamb, lizard",
    "virtue": """patience, kindness, honesty, courage, hard work, a good friend, a calm head, gratitude, a promise kept, listening, sharing,
    modesty, a clear conscience, forgiveness, a warm heart, good advice""",
    "vice": "pride, greed, laziness, haste, envy, boasting, anger, vanity, stubbornness, a lie, a broken promise, flattery, fear",
}
LISTS["gesture_f"] = LISTS["gesture"].replace("{his}", "{fhis}")
LISTS["gesture_e"] = LISTS["gesture"].replace("{his}", "{ehis}")
LISTS["feeling_good"] = "happy, proud, relieved, delighted, content, cheerful, glad, grateful, merry, pleased, full of joy, at peace"
LISTS["animal_plural"] = """mice, dogs, cats, frogs, bees, foxes, owls, hedgehogs, rabbits, ducks, geese, wolves, bats, hares, kittens, squirrels,
    sparrows, beetles, otters, pigs, sheep, goats, crows, swans, ants, badgers, deer, moles, puppies, robins"""
LISTS["blushed"] = "blushed, laughed, looked at the floor, shook hands, smiled, turned red"
LISTS["shared"] = "shared, divided, ate, warmed up, finished, brought out"
