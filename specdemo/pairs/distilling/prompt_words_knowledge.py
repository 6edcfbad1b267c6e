"""Words about what there is to know: subjects, machines, people, books, events, places and why-questions."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # Subjects that take "is".
    "single": """
        photosynthesis, gravity, the water cycle, evolution, electricity, the solar system, climate change, magnetism,
        sound, light, DNA, the human heart, the immune system, sleep, memory, the brain, digestion, friction, inertia,
        momentum, energy, heat, air pressure, buoyancy, density, radioactivity, nuclear fusion, osmosis, diffusion,
        combustion, rust, acid rain, the ozone layer, the greenhouse effect, the carbon cycle, the nitrogen cycle, the
        periodic table, the moon, the sun, Mars, Jupiter, Saturn, the Milky Way, the Big Bang, the speed of light, dark
        matter, a solar eclipse, a leap year, the equator, the North Pole, the Gulf Stream, the jet stream, erosion,
        plate tectonics, lightning, fog, hail, snow, dew, the internet, artificial intelligence, machine learning,
        encryption, cloud computing, open-source software, a computer virus, a search engine, a database, an operating
        system, an algorithm, a spreadsheet, two-factor authentication, virtual reality, Bluetooth, fiber optics, radar,
        sonar, nuclear power, geothermal energy, hydropower, the printing press, the steam engine, the telegraph,
        democracy, monarchy, federalism, the separation of powers, the rule of law, a constitution, a referendum,
        citizenship, inflation, deflation, unemployment, supply and demand, globalization, compound interest, a credit
        score, a pension, a budget deficit, the stock market, the minimum wage, insurance, copyright, a patent, a
        trademark, recycling, composting, biodiversity, deforestation, overfishing, desertification, organic farming,
        crop rotation, irrigation, pollination, migration, hibernation, camouflage, natural selection, symbiosis,
        metamorphosis, extinction, a food chain, an ecosystem, cell division, heredity, fermentation, pasteurization,
        distillation, oxygen, nitrogen, hydrogen, helium, carbon dioxide, iron, copper, gold, mercury, salt, sugar,
        protein, cholesterol, caffeine, insulin, adrenaline, blood pressure, the nervous system, the liver, the skin,
        the inner ear, the human eye, breathing, the common cold, asthma, anemia, jet lag, a concussion, hay fever,
        color blindness, dyslexia, insomnia, first aid, the placebo effect, peer pressure, confirmation bias, empathy,
        procrastination, body language, déjà vu, the scientific method, a hypothesis, the Pythagorean theorem, pi,
        the golden ratio, probability, an average, a percentage, a square root, the order of operations, geometry,
        algebra, statistics, logic, infinity, binary code, Roman numerals, the metric system, a noun, an adverb, a
        relative clause, alliteration, irony, satire, a sonnet, a fable, a haiku, grammar, punctuation, Braille, sign
        language, Morse code, Esperanto, Latin, cubism, impressionism, baroque music, jazz, opera, ballet, flamenco,
        photography, perspective in painting, origami, calligraphy, pottery, architecture, Gothic architecture, feudalism,
        capitalism, socialism, colonialism, nationalism, slavery, the Bronze Age, the Stone Age, the Roman Empire, the
        Ottoman Empire, ancient Egypt, ancient Greece, the Silk Road, the Great Wall of China, the Magna Carta, the
        United Nations, the European Union, the Red Cross, Buddhism, Islam, Christianity, Judaism, Hinduism, stoicism,
        existentialism, free will, utilitarianism, glass, paper, steel, plastic, concrete, rubber, cotton, silk, wool,
        leather, chocolate, tea, bread, cheese, honey, vinegar, olive oil, yeast, vanilla, chess, football, cricket,
        basketball, tennis, golf, judo, yoga, meditation, the Olympic Games, the Tour de France, a marathon, Halloween,
        Ramadan, Diwali, Hanukkah, Chinese New Year, Thanksgiving, daylight saving time, the Gregorian calendar
    """,
    # Subjects that take "are".
    "plural": """
        black holes, volcanoes, earthquakes, tsunamis, hurricanes, tornadoes, rainbows, tides, the seasons, comets,
        asteroids, meteors, stars, galaxies, constellations, satellites, space telescopes, atoms, molecules, electrons,
        isotopes, crystals, metals, gases, acids, chemical reactions, simple machines, magnets, lasers, X-rays,
        microwaves, semiconductors, transistors, batteries, solar panels, wind turbines, electric cars, heat pumps,
        drones, robots, 3D printers, passwords, cookies on websites, computer networks, video games, social networks,
        chatbots, vaccines, antibiotics, painkillers, allergies, hormones, genes, stem cells, red blood cells, bones,
        muscles, joints, teeth, reflexes, dreams, emotions, habits, vitamins, calories, carbohydrates, enzymes, bacteria,
        viruses, fungi, algae, mosses, ferns, mushrooms, seeds, earthworms, insects, spiders, reptiles, amphibians,
        mammals, birds of prey, marsupials, dinosaurs, fossils, coral reefs, rainforests, deserts, wetlands, glaciers,
        caves, islands, rivers, ocean currents, monsoons, minerals, diamonds, fossil fuels, renewable resources, invasive
        species, endangered species, national parks, earthquake warnings, taxes, tariffs, banks, interest rates, bonds,
        shares, mutual funds, labor unions, cooperatives, human rights, elections, political parties, courts, juries,
        treaties, trade routes, the Crusades, the pyramids, Viking ships, medieval guilds, samurai, gladiators, castles,
        cathedrals, aqueducts, canals, bridges, tunnels, skyscrapers, lighthouses, windmills, compasses, time zones,
        maps, calendars, hieroglyphs, alphabets, dialects, idioms, synonyms, prefixes, verbs, pronouns, myths, legends,
        proverbs, nursery rhymes, folk songs, symphonies, musical scales, fractions, decimals, prime numbers, negative
        numbers, triangles, graphs, optical illusions, supermarkets, libraries, museums, zoos, school uniforms,
        board games, crossword puzzles, fireworks, spices
    """,
    # Things that work: "How does ... work?"
    "machine": """
        a refrigerator, a washing machine, a dishwasher, a vacuum cleaner, a toaster, a pressure cooker, an induction
        stove, a thermos flask, a light bulb, a smoke detector, a thermostat, an air conditioner, a zipper, a lock and
        key, a ballpoint pen, a mechanical watch, a quartz clock, a compass, a thermometer, a barometer, a bicycle gear,
        a car engine, a hybrid car, a seat belt, an airbag, a helicopter, a hot-air balloon, a parachute, a submarine, a
        sailing boat, an elevator, an escalator, a crane, a traffic light, a roundabout, a parking meter, a bar code, a
        QR code, a credit card chip, a touchscreen, a digital camera, a pair of glasses, a telescope, a microscope, a
        periscope, a hearing aid, a pacemaker, a stethoscope, an MRI scanner, a loudspeaker, a microphone, a piano, an
        accordion, a radio, a mobile phone, a Wi-Fi router, GPS, a hard disk, a search engine, a spell checker, spam
        filtering, a neural network, a water tower, a septic tank, a sewage plant, a power station, a dam, a wind
        turbine, a solar panel, a rechargeable battery, a fuel cell, a fire extinguisher, a rocket, a space station, a
        vending machine, a sewing machine, a lawn mower, a boomerang, a gyroscope, a siphon, a pulley, soap, glue,
        sunscreen, deodorant, baking powder, yeast, an auction, a lottery, a library, an election, a jury, health
        insurance, a savings account, a credit card, a pawnshop, a stock exchange, a charity, a trade union
    """,
    # Clauses after "why".
    "phenomenon": """
        ice floats on water | the sea is salty | leaves change color | we yawn | we dream | onions make us cry | bread
        rises | metal feels colder than wood | the moon has phases | days are shorter in winter | mountains are colder
        than valleys | some people are left-handed | babies cry so much | dogs wag their tails | owls can turn their
        heads so far | birds fly south in winter | flamingos are pink | bats sleep upside down | spiders do not stick to
        their own webs | zebras have stripes | chameleons change color | fish do not drown | salmon swim upstream | bees
        make honey | fireflies glow | mosquito bites itch | we get goose bumps | we get hiccups | our ears pop on a
        mountain | fingers wrinkle in the bath | hair turns gray | we forget names | time seems to pass faster as we get
        older | songs get stuck in our heads | people laugh | we feel thirsty after salty food | chili peppers feel hot |
        mint feels cool | milk turns sour | bananas turn brown | popcorn pops | oil and water do not mix | soap bubbles
        are round | mirrors fog up in the bathroom | glasses crack in hot water | roads have speed limits | tires are
        black | manhole covers are round | pencils are often yellow | golf balls have dimples | ships made of steel
        float | trains run on rails | bridges have gaps in them | stars twinkle | sunsets are red | Venus is so hot |
        Pluto is no longer called a planet | the Dead Sea is so salty | deserts are cold at night | it smells good after
        rain | thunder comes after lightning | wind blows | rivers bend | volcanoes erupt | the dinosaurs died out | the
        Roman Empire fell | the Titanic sank | Venice was built on water | the Tower of Pisa leans | English spelling is
        so strange | a keyboard is not in alphabetical order | prices end in ninety-nine cents | money has value |
        some countries drive on the left | there are so many languages | people wear wedding rings | we shake hands |
        weekends have two days | coffee keeps people awake | exercise lifts the mood | sugar is bad for teeth | we need
        vaccines every year | old books smell | batteries run out | phones get warm | computers need updates | passwords
        should be long | some metals rust and others do not | helium makes voices squeaky | salt melts ice on roads
    """,
    "pair": """
        a crocodile and an alligator | a frog and a toad | a moth and a butterfly | a rabbit and a hare | a donkey and a
        mule | a turtle and a tortoise | a seal and a sea lion | a llama and an alpaca | a leopard and a jaguar | a crow
        and a raven | a bee and a wasp | a hill and a mountain | a sea and an ocean | a swamp and a marsh | a comet and
        an asteroid | weather and climate | fog and mist | a hurricane and a tornado | mass and weight | speed and
        velocity | heat and temperature | an atom and a molecule | a virus and a bacterium | a cold and the flu | a vein
        and an artery | an allergy and an intolerance | fruit and vegetables | jam and jelly | butter and margarine |
        baking soda and baking powder | green tea and black tea | an alley and an avenue | a bank and a credit union | a
        debit card and a credit card | renting and leasing | gross and net pay | a tax and a fee | a civil and a criminal
        case | a lawyer and a judge | a senate and a parliament | a kingdom and a republic | a psychologist and a
        psychiatrist | a nurse and a doctor | an architect and a civil engineer | a violin and a viola | a harp and a
        lyre | a simile and an analogy | a novel and a novella | a biography and a memoir | a myth and a legend | prose
        and verse | a colon and a semicolon | "affect" and "effect" | "its" and "it's" | "fewer" and "less" | "who" and
        "whom" | "lie" and "lay" | a list and a tuple in Python | a compiler and an interpreter | RAM and storage | the
        internet and the World Wide Web | a virus and a worm on a computer | HTTP and HTTPS | a laptop and a tablet |
        knowledge and wisdom | envy and jealousy | a habit and a routine | sympathy and empathy | a goal and a wish | a
        leader and a manager | theory and practice | a fact and an opinion | the mean and the median | a square and a
        rhombus | area and perimeter | a prime and a composite number | a solar and a lunar eclipse
    """,
    # People of the past: "Who was ...?"
    "figure": """
        Albert Einstein, Isaac Newton, Galileo Galilei, Charles Darwin, Nikola Tesla, Thomas Edison, Ada Lovelace, Alan
        Turing, Grace Hopper, Rosalind Franklin, Louis Pasteur, Alexander Fleming, Florence Nightingale, Gregor Mendel,
        Dmitri Mendeleev, Niels Bohr, Lise Meitner, Richard Feynman, Stephen Hawking, Carl Sagan, Johannes Kepler,
        Nicolaus Copernicus, Tycho Brahe, Archimedes, Euclid, Pythagoras, Hypatia, Carl Friedrich Gauss, Leonhard Euler,
        Emmy Noether, Srinivasa Ramanujan, Katherine Johnson, Rachel Carson, Alexander von Humboldt, Carl Linnaeus,
        Michael Faraday, James Watt, Alexander Graham Bell, Johannes Gutenberg, Orville Wright, Amelia Earhart, Yuri
        Gagarin, Neil Armstrong, Valentina Tereshkova, Sally Ride, Christopher Columbus, Ferdinand Magellan, Marco Polo,
        Vasco da Gama, James Cook, Roald Amundsen, Ernest Shackleton, Edmund Hillary, Ibn Battuta, Zheng He, Sacagawea,
        Socrates, Plato, Aristotle, Confucius, Laozi, Marcus Aurelius, Seneca, Thomas Aquinas, René Descartes, Baruch
        Spinoza, Immanuel Kant, David Hume, John Locke, Voltaire, Jean-Jacques Rousseau, Friedrich Nietzsche, Karl Marx,
        Adam Smith, John Maynard Keynes, Sigmund Freud, Maria Montessori, Hannah Arendt, Simone de Beauvoir, Mary
        Wollstonecraft, Julius Caesar, Augustus, Cleopatra, Nefertiti, Tutankhamun, Hannibal, Alexander the Great,
        Pericles, Attila the Hun, Charlemagne, William the Conqueror, Saladin, Genghis Khan, Joan of Arc, Henry VIII,
        Catherine the Great, Peter the Great, Louis XIV, Marie Antoinette, Napoleon Bonaparte, Otto von Bismarck, Queen
        Victoria, Simón Bolívar, George Washington, Benjamin Franklin, Thomas Jefferson, Abraham Lincoln, Frederick
        Douglass, Harriet Tubman, Sojourner Truth, Susan B. Anthony, Theodore Roosevelt, Eleanor Roosevelt, Winston
        Churchill, Mahatma Gandhi, Nelson Mandela, Martin Luther King, Rosa Parks, Anne Frank, Helen Keller, Mother
        Teresa, Leonardo da Vinci, Michelangelo, Raphael, Rembrandt, Johannes Vermeer, Francisco Goya, Claude Monet,
        Vincent van Gogh, Frida Kahlo, Pablo Picasso, Georgia O'Keeffe, Salvador Dalí, Johann Sebastian Bach, Wolfgang
        Amadeus Mozart, Ludwig van Beethoven, Frédéric Chopin, Clara Schumann, Giuseppe Verdi, Louis Armstrong, Ella
        Fitzgerald, Elvis Presley, Homer, Virgil, Dante Alighieri, Geoffrey Chaucer, Miguel de Cervantes, Jane Austen,
        Mary Shelley, Charles Dickens, Charlotte Brontë, Emily Dickinson, Walt Whitman, Edgar Allan Poe, Mark Twain,
        Jules Verne, Leo Tolstoy, Anton Chekhov, Oscar Wilde, Virginia Woolf, Franz Kafka, George Orwell, Agatha Christie,
        Ernest Hemingway, Gabriel García Márquez, Hans Christian Andersen, Wilhelm Grimm, Astrid Lindgren, Charlie
        Chaplin, Buster Keaton, Alfred Hitchcock, Walt Disney, Coco Chanel, Harry Houdini, Jesse Owens, Muhammad Ali
    """,
    "book": """
        Hamlet, Macbeth, Othello, King Lear, A Midsummer Night's Dream, The Tempest, Twelfth Night, The Odyssey, The
        Iliad, The Aeneid, Beowulf, The Divine Comedy, The Canterbury Tales, Don Quixote, Robinson Crusoe, Gulliver's
        Travels, Pride and Prejudice, Emma, Frankenstein, Jane Eyre, Wuthering Heights, Oliver Twist, A Christmas Carol,
        David Copperfield, Great Expectations, A Tale of Two Cities, Moby-Dick, Little Women, Alice in Wonderland, Tom
        Sawyer, Huckleberry Finn, Treasure Island, The Jungle Book, The Time Machine, Dracula, The Picture of Dorian
        Gray, The Hound of the Baskervilles, Around the World in Eighty Days, The Count of Monte Cristo, The Three Musketeers, Les
        Misérables, The Hunchback of Notre-Dame, War and Peace, Anna Karenina, Crime and Punishment, The Metamorphosis,
        The Great Gatsby, Of Mice and Men, The Old Man and the Sea, To Kill a Mockingbird, Animal Farm, Brave New World,
        Lord of the Flies, The Hobbit, Peter Pan, Pinocchio, The Wizard of Oz, The Secret Garden, Winnie-the-Pooh,
        Anne of Green Gables, Heidi, The Little Prince, Charlotte's Web, Waiting for Godot, A Doll's House, Faust
    """,
    "tale": """
        Cinderella, Snow White, Sleeping Beauty, Little Red Riding Hood, Hansel and Gretel, Rapunzel, Rumpelstiltskin,
        Puss in Boots, Beauty and the Beast, Jack and the Beanstalk, Goldilocks, the ugly duckling, the little mermaid,
        the emperor's new clothes, the princess and the pea, the tortoise and the hare, the boy who cried wolf, the ant
        and the grasshopper, the fox and the grapes, the lion and the mouse, the town mouse and the country mouse, the
        goose that laid the golden eggs, the Pied Piper, the gingerbread man, Aladdin, Ali Baba, Sinbad the sailor, King
        Midas, Icarus, Pandora's box, the Trojan horse, Theseus and the Minotaur, Orpheus and Eurydice, Narcissus, Robin
        Hood, King Arthur, William Tell, Noah's ark, David and Goliath, Rip Van Winkle
    """,
    "event": """
        the French Revolution, the American Civil War, the American Revolution, the First World War, the Second World
        War, the Cold War, the Vietnam War, the Korean War, the Hundred Years' War, the Thirty Years' War, the Black
        Death, the Great Fire of London, the fall of Constantinople, the fall of the Berlin Wall, the Russian Revolution,
        the Industrial Revolution, the Reformation, the Renaissance, the Enlightenment, the Great Depression, the Gold
        Rush, the Boston Tea Party, the Norman Conquest, the Spanish Armada, the Battle of Waterloo, the Battle of
        Hastings, the assassination of Julius Caesar, the eruption of Vesuvius in Pompeii, the sinking of the Titanic, the
        Chernobyl disaster, the moon landing, the Cuban Missile Crisis, the Irish famine, the Dust Bowl, the Meiji
        Restoration, the partition of India, the end of apartheid, the Arab Spring, the financial crisis of 2008, the
        Congress of Vienna, the Treaty of Versailles, the San Francisco earthquake of 1906
    """,
    "country": """
        France, Germany, Italy, Spain, Portugal, England, Scotland, Wales, Ireland, Norway, Sweden, Finland, Denmark,
        Iceland, Poland, Austria, Switzerland, Belgium, Hungary, Romania, Bulgaria, Croatia, Serbia, Slovenia, Slovakia,
        Estonia, Latvia, Lithuania, Ukraine, Russia, Greece, Turkey, Cyprus, Malta, Egypt, Morocco, Tunisia, Algeria,
        Kenya, Tanzania, Ethiopia, Uganda, Rwanda, Nigeria, Ghana, Senegal, Cameroon, Angola, Zambia, Botswana, Namibia,
        South Africa, Madagascar, India, Pakistan, Bangladesh, Nepal, Bhutan, Sri Lanka, China, Mongolia, Japan, South
        Korea, Vietnam, Laos, Cambodia, Thailand, Malaysia, Indonesia, Australia, New Zealand, Fiji, Canada, Mexico,
        Guatemala, Costa Rica, Panama, Cuba, Jamaica, Haiti, Colombia, Ecuador, Peru, Bolivia, Chile, Argentina, Uruguay,
        Paraguay, Brazil, Venezuela, Iran, Iraq, Jordan, Lebanon, Saudi Arabia, Oman, Georgia, Armenia, Kazakhstan
    """,
    "city": """
        Paris, London, Berlin, Munich, Hamburg, Madrid, Barcelona, Seville, Lisbon, Porto, Vienna, Prague, Budapest,
        Warsaw, Kraków, Copenhagen, Stockholm, Oslo, Helsinki, Reykjavik, Dublin, Edinburgh, Glasgow, Brussels, Bruges,
        Amsterdam, Zurich, Geneva, Venice, Florence, Naples, Milan, Istanbul, Cairo, Marrakesh, Nairobi, Lagos, Cape
        Town, Mumbai, Delhi, Kolkata, Kathmandu, Beijing, Shanghai, Hong Kong, Tokyo, Kyoto, Osaka, Seoul, Bangkok,
        Hanoi, Singapore, Jakarta, Sydney, Melbourne, Auckland, New York, Boston, Chicago, New Orleans, Seattle, San
        Francisco, Toronto, Montreal, Vancouver, Mexico City, Havana, Bogotá, Lima, Rio de Janeiro, Buenos Aires
    """,
    "landmark": """
        the Sahara, the Amazon, the Nile, the Danube, the Rhine, the Mississippi, the Alps, the Himalayas, the Andes,
        Mount Everest, Mount Fuji, Kilimanjaro, the Grand Canyon, Niagara Falls, the Great Barrier Reef, the Black Sea,
        the Panama Canal, the Suez Canal, the Eiffel Tower, the Colosseum, Stonehenge, Machu Picchu, the Taj Mahal, the
        Statue of Liberty, the Golden Gate Bridge, Big Ben, the Louvre, Petra, Angkor Wat, Easter Island, Antarctica,
        Greenland, Hawaii, Sicily, Siberia, Patagonia, the Galápagos Islands, Yellowstone, the Black Forest
    """,
    "animal": """
        fox, cat, dog, owl, bear, mouse, rabbit, elephant, lion, tiger, whale, dolphin, penguin, eagle, turtle, snake,
        frog, bee, ant, spider, horse, cow, sheep, goat, pig, duck, chicken, wolf, deer, squirrel, hedgehog, crocodile,
        shark, octopus, monkey, kangaroo, koala, camel, giraffe, zebra, butterfly, bat, crow, parrot, salmon, badger,
        beaver, otter, mole, moose, reindeer, lynx, cheetah, hippopotamus, rhinoceros, gorilla, chimpanzee, sloth,
        armadillo, platypus, ostrich, peacock, swan, goose, stork, pelican, seagull, woodpecker, hummingbird, sparrow,
        lizard, chameleon, tortoise, newt, eel, tuna, goldfish, seahorse, jellyfish, starfish, crab, lobster, snail,
        earthworm, ladybug, dragonfly, grasshopper, cricket, moth, scorpion, hamster, guinea pig, ferret, donkey, llama
    """,
    "school": """
        mathematics, physics, chemistry, biology, history, geography, economics, philosophy, psychology, sociology,
        law, medicine, engineering, computer science, linguistics, literature, music theory, art history, drama,
        astronomy, geology, ecology, archaeology, anthropology, political science, statistics, accounting, marketing
    """,
}
