"""Words of daily life: skills, problems, situations, messages, food, health, work and feelings."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "skill": """
        learn a new language, cook rice, bake bread, make a cup of tea, ride a bicycle, swim, play the guitar, play
        chess, write a letter, write a poem, write a short story, give a speech, prepare for an exam, manage my time,
        save money, plan a trip, grow tomatoes, plant a tree, take care of a cat, train a dog, clean a kitchen, organize
        a desk, fix a flat tire, paint a room, sew on a button, iron a shirt, start running, stretch before exercise,
        sleep better, drink more water, eat more vegetables, make new friends, apologize to a friend, ask for help, say
        no politely, write an email to my boss, write a resume, find a job, prepare for an interview, learn to code, take
        good photographs, draw a horse, fold a paper plane, build a birdhouse, make a budget, choose a book, remember
        names, stop procrastinating, stay calm, be more creative, teach a child to read, explain fractions to a child,
        make pancakes, make tomato soup, cook pasta, bake an apple pie, boil an egg, sharpen a knife, store vegetables,
        remove a wine stain, wash a wool sweater, pack a suitcase, read a map, use a compass, observe the stars, keep a
        diary, set goals, work in a team, lead a meeting, memorize a poem, solve a crossword, tie a tie, wrap a present,
        poach an egg, make yogurt, pickle cucumbers, make jam, knead dough, peel garlic quickly, chop an onion, cook
        lentils, roast a chicken, grill fish, make mayonnaise, decorate a cake, brew good coffee, freeze fresh herbs, make
        a lunch box, cook for twenty people, cook on a small budget, descale a kettle, clean an oven, clean windows
        without streaks, unclog a drain, fix a dripping tap, change a light bulb, hang a picture, put up a shelf, repair
        a wobbly chair, sand a table, oil a squeaky door, patch a hole in a wall, lay tiles, insulate a window, bleed a
        radiator, save electricity, save water, sort the laundry, fold a fitted sheet, polish shoes, darn a sock, hem
        trousers, knit a scarf, crochet a blanket, dye a T-shirt, remove chewing gum from a carpet, get rid of ants, get
        rid of fruit flies, keep moths out of a closet, start a compost heap, prune roses, grow herbs on a balcony, water
        plants during a vacation, repot a cactus, sow a lawn, attract birds to a garden, build a raised bed, keep bees,
        keep chickens, set up an aquarium, bathe a dog, introduce two cats, clip a rabbit's nails, teach a parrot to
        talk, change a bicycle chain, park a car, jump-start a car, check the oil, drive in snow, change a diaper, get a
        baby to sleep, talk to a teenager, help with homework, plan a birthday party, entertain children on a rainy day,
        learn to juggle, learn magic tricks, whistle with two fingers, skip stones, fly a kite, build a sandcastle, build
        a snowman, light a campfire, pitch a tent, read the clouds, find north without a compass, swim faster, run a
        marathon, do a push-up, do a handstand, improve my posture, warm up cold hands, treat a blister, stop a
        nosebleed, remove a splinter, treat a bee sting, cool a burn, get rid of hiccups, deal with a headache, sit less
        at work, breathe deeply, begin to meditate, overcome stage fright, stop biting my nails, quit smoking, get up
        early, build a good habit, keep a promise, make a decision, listen better, give a compliment, accept criticism,
        give feedback to a colleague, settle an argument, make small talk, introduce two strangers, write a wedding
        speech, write a condolence card, write a cover letter, ask for a raise, resign from a job, negotiate a price,
        write a business plan, start a small business, sell things online, avoid scams, read a contract, file a tax
        return, open a bank account, pay off a debt, invest a little money, rent an apartment, move house cheaply, choose
        a mattress, choose a laptop, back up my photos, create a strong password, free up space on a phone, set up a home
        network, write a formula in a spreadsheet, make a slide show, edit a video, build a simple website, learn touch
        typing, search the web well, spot fake news, use version control, debug a program, read a file in Python, sort a
        list in Python, take notes in class, write an essay, quote a source, read faster, learn vocabulary, improve my
        spelling, improve my pronunciation, do long division, calculate a percentage in my head, multiply by eleven, draw
        a face, paint with watercolors, shade a sphere, write a song, read sheet music, tune a ukulele, play the drums,
        sing in tune, dance a waltz, act on stage, write a haiku, invent a character, keep a houseplant alive, spend less
        time on my phone, travel with a baby, travel alone, learn to ski, ice skate, catch a fish, identify birds, press
        flowers, make a candle, carve a pumpkin, make paper, bind a book, play poker, solve a Rubik's cube, host a dinner
    """,
    # Whole sentences, said by somebody whose household or gadget is in trouble.
    "problem": """
        My kitchen sink drains very slowly | My toilet keeps running | My shower has almost no pressure | My washing
        machine will not spin | My dryer takes forever | My dishwasher leaves white spots on the glasses | My fridge makes
        a loud humming noise | My freezer is full of ice | My oven burns everything on one side | My smoke alarm chirps
        every minute | The light in my hallway flickers | A fuse blows whenever I use the toaster | My front door sticks
        in winter | My key is stuck in the lock | The window in my bedroom is always wet in the morning | There is mold in
        the corner of my bathroom | My basement smells damp | The radiator in my room stays cold | My roof leaks when it
        rains | The wooden floor creaks at night | Paint is peeling off my ceiling | I spilled red wine on a white carpet |
        There is candle wax on my tablecloth | My white shirts have turned gray | I shrank my favorite sweater | My jeans
        smell of smoke | There is ink on my leather bag | My shoes squeak | The zipper of my jacket is stuck | There are
        ants in my kitchen | Mice have moved into my attic | Tiny flies hover around my fruit bowl | Moths are eating my
        wool coats | Slugs eat all my lettuce | My lawn is full of moss | My roses have black spots | My tomatoes do not
        ripen | My basil dies every time | My orchid has not bloomed for two years | My cactus has gone soft | My apple
        tree bears no fruit | My cat scratches the sofa | My cat wakes me up at five | My dog barks at every visitor | My
        dog is afraid of fireworks | My puppy chews on shoes | My goldfish hides all day | My hamster escaped | My parrot
        has stopped talking | My phone battery is empty by noon | My phone fell into water | My laptop is very slow | My
        laptop gets hot and loud | My screen stays black | My mouse pointer jumps around | My keyboard types the wrong
        letters | My Wi-Fi is slow in the bedroom | My headphones work only on one side | My speakers crackle | I forgot
        the password of my email account | My inbox is full of spam | My photos are blurry | My video call has no sound |
        I deleted an important file by accident | My car does not start in the cold | My car makes a squealing noise when
        I brake | The windshield keeps fogging up | My bicycle chain keeps falling off | My bicycle brakes squeal | My
        bread does not rise | My cake sank in the middle | My cookies are always hard | My rice is sticky | My pancakes
        stick to the pan | My soup is too salty | My sauce has lumps | My mashed potatoes are gluey | I burned the bottom
        of a pot | My cutting board smells of garlic | My knife is blunt | My nonstick pan sticks | My glasses keep
        slipping | My hair gets static in winter | My hands are dry and cracked | My mattress sags | My alarm did not ring
        this morning | I locked myself out | I lost my passport on vacation | My suitcase did not arrive | My package
        never came | I was charged twice for the same ticket | My electricity bill has doubled
    """,
    # Whole sentences, said by somebody who looks for advice.
    "situation": """
        I have been offered two jobs and like them both | My best friend has stopped answering my messages | I am
        starting at a new school on Monday | My boss takes credit for my ideas | A colleague talks to me all day and I
        cannot work | I was late three times this week | I have an exam in two days and have not begun to study | I failed
        my driving test | I want to change careers at forty | I am about to retire and worry that I will be bored | My
        parents want me to study law but I want to paint | My sister borrowed money and has not paid it back | My brother
        and I have not spoken for a year | My daughter does not want to go to school | My son spends all day on video
        games | My teenager never tells me anything | My baby cries every evening | My grandmother feels lonely | My
        father refuses to see a doctor | My mother gives me advice that I never asked for | My in-laws are coming to stay
        for a week | I forgot our wedding anniversary | I said something unkind at a party | I broke a vase at a friend's
        house | I received a gift that I do not like | I was not invited to a wedding | Two of my friends are fighting and
        both want me on their side | A friend asked me to lie for her | I found a wallet in the street | A stranger sat
        down in my seat on the train | The waiter brought me the wrong dish | My neighbor's tree grows over my fence | My
        neighbor's dog barks all night | My landlord will not return my deposit | My flatmate eats my food | I cannot fall
        asleep at night | I wake up tired every day | I get nervous when I speak in front of people | I am afraid of
        flying | I blush whenever somebody looks at me | I never know what to say at parties | I keep comparing myself
        with others | I lose my temper too easily | I cannot say no | I always leave things until the last minute | I
        start many projects and finish none | I spend too much on clothes | I have saved a little money for the first time
        | I have some debts and a small income | I want to buy a used car | I want to get a dog but I work all day | I
        have to move in with my parents again | I have just broken up with my girlfriend | My boyfriend lives far away | I
        have a crush on a classmate | I am the only one in my office who does not drink | I became a vegetarian and my
        family makes jokes | I want to eat better but I hate cooking | I sit at a desk for nine hours a day | I have not
        exercised for years | I want to run five kilometers | I have a free afternoon and no plans | It is raining and the
        children are bored | I have three days in a city I do not know | I have to write a speech for my sister's wedding
        | I must give a toast tonight | I have to fire somebody tomorrow | My team does not get along | My first customer
        is unhappy | I want to open a small café | I wrote a novel and do not know whether it is good | I have lost
        interest in my hobby | I would like to learn an instrument but feel too old | I miss home | I am homesick in a
        foreign country | I do not understand the jokes of my new colleagues | My accent embarrasses me | I cannot
        concentrate at home | My phone distracts me all the time | I read a lot and remember little | I have too many
        books and no space | I want to help the environment but do not know how | I would like to volunteer | My
        cat died last week | A friend of mine is seriously ill | I feel guilty about resting | I have to choose a
        present for somebody who has everything | I cannot decide what to study
    """,
    # "Write a message to ..."
    "message": """
        my landlord asking him to repair the heating | my boss explaining that I am ill today | a teacher asking for more
        time for an essay | a friend whose party I missed | my grandmother thanking her for a sweater | a colleague who
        helped me with a report | a customer whose order is late | a hotel asking for a quiet room | a restaurant booking a
        table for six | a company complaining about a broken kettle | an airline asking for a refund | my dentist moving
        an appointment to next week | a neighbor offering to water his flowers | a neighbor whose package I have | the
        parents of a classmate inviting their son to a birthday | my team announcing a day off | my team after a hard
        month | a job applicant who was not chosen | a job applicant inviting her to an interview | a former teacher who
        inspired me | a friend who has just had a baby | a friend who lost his job | a friend who passed her exam | a
        cousin getting married | an uncle in hospital | a pen pal in another country | my future self | my younger self |
        a famous writer | the mayor about a dangerous crossing | the city asking for more trees | a local newspaper about
        a closed library | the school about the cafeteria food | a museum asking about opening hours | a library about a
        lost book | a gym canceling a membership | a bank about a strange payment | an online shop about the wrong size | a
        plumber describing a leak | a mechanic describing a noise in the car | a babysitter with the rules of the house |
        a guest explaining how to find my house | a cleaning lady thanking her for her work | a volunteer asking her to
        come on Saturday | members of a club about a change of date | all tenants about a power cut | a friend asking to
        borrow a tent | a friend asking for my drill back | my brother apologizing for a quarrel | my mother on her
        seventieth birthday | my wife on our anniversary | a new colleague welcoming him | a retiring colleague | a choir
        about the next rehearsal | a football team that lost the final | a client asking him to pay a bill | a supplier
        ordering more paper | a professor asking for a letter of recommendation | an old friend after ten years of silence
        | a stranger who found my keys | somebody who bought my old bicycle | the tooth fairy
    """,
    "occasion": """
        a birthday, a wedding, a retirement party, a housewarming, a graduation, a farewell, a family reunion, a school
        fair, a picnic, a bake sale, a charity run, a book club, a street party, a job interview, a first date, a
        funeral, a business lunch, a christening, a formal dinner, a concert, a theater evening, a video conference
    """,
    "manners": """
        eat soup at a formal dinner | use a fork and a knife | tip in a restaurant | refuse a second helping | leave a
        party early | arrive late at a dinner | address a judge | address a professor in an email | answer the phone at
        work | shake hands in a business meeting | behave in a mosque | behave at a funeral | behave in a sauna | behave
        at the opera | hold chopsticks | take a phone call on a train | return a borrowed book | reply to a wedding
        invitation | introduce my partner to my parents | thank a host | end a long phone call | split a bill among
        friends | interrupt somebody politely | correct somebody who says my name wrong | dress for a job interview | ask
        somebody's age | pay a compliment to a colleague | decline a date kindly | apologize for being late
    """,
    # "Should I ... or ...?"
    "choice": """
        rent a flat or buy one | get a cat or a dog | learn Spanish or Chinese | study at home or in a library | take the
        train or the car | go to the sea or to the mountains | run outside or on a treadmill | work for a small company or
        a big one | buy a laptop or a desktop computer | read paper books or e-books | cook at home or eat out | take
        notes by hand or on a computer | shower in the evening or before work | learn the piano or the violin | live in
        the city or in the country | save money or pay back a loan | wear a suit or something casual | go to bed early or
        finish the film | write a diary or talk to a friend | repair my old phone or buy a new one | adopt a puppy or an
        older dog | pay by card or in cash | tell the truth or keep quiet | accept the job or wait for a better one
    """,
    "dish": """
        pancakes, tomato soup, vegetable curry, fried rice, risotto, lasagna, mushroom omelet, potato salad, lentil stew,
        chicken soup, beef stew, fish tacos, stuffed peppers, onion tart, pizza, hummus, guacamole, falafel, ratatouille,
        goulash, paella, pumpkin soup, macaroni and cheese, meatballs, dumplings, spring rolls, banana bread, apple pie,
        cheesecake, brownies, oatmeal cookies, rice pudding, fruit salad, lemonade, hot chocolate, granola, bean chili,
        scrambled eggs, garlic bread, coleslaw, cornbread, waffles, gnocchi, pesto, shepherd's pie, quiche, tiramisu
    """,
    "food": """
        apples, bananas, potatoes, tomatoes, carrots, onions, eggs, beans, lentils, mushrooms, lemons, strawberries, nuts,
        oats, chickpeas, zucchini, peas, pumpkins, cherries, plums, pears, peaches, grapes, olives, walnuts, almonds,
        radishes, cucumbers, bell peppers, beets, turnips, eggplants, avocados, mangoes, dates, figs, raisins, noodles,
        shrimp, sardines, blueberries, leeks, artichokes, sweet potatoes, cranberries
    """,
    "job": """
        teacher, doctor, nurse, engineer, lawyer, cook, farmer, carpenter, plumber, electrician, programmer, designer,
        writer, journalist, musician, actor, pilot, firefighter, police officer, librarian, scientist, accountant,
        salesperson, manager, translator, dentist, pharmacist, midwife, veterinarian, physiotherapist, psychologist, social
        worker, judge, architect, surveyor, bricklayer, roofer, welder, mechanic, train driver, bus driver, sailor,
        fisherman, forester, gardener, florist, baker, butcher, waiter, hairdresser, tailor, shoemaker, jeweler,
        photographer, film director, dancer, conductor, museum guide, archaeologist, astronomer, chemist, biologist,
        geologist, weather forecaster, data analyst, economist, diplomat, mayor, flight attendant, air traffic controller,
        beekeeper, clown, referee, lifeguard, postal worker, tour guide, interpreter, editor
    """,
    "feeling": """
        happy, sad, angry, tired, nervous, lonely, proud, excited, bored, grateful, jealous, confused, hopeful, afraid,
        calm, restless, overwhelmed, homesick, embarrassed, disappointed, guilty, worried, cheerful, frustrated, curious,
        heartbroken, relieved, discouraged, stressed, unmotivated, shy, optimistic, sentimental, lost, impatient
    """,
    "emotion": """
        happiness, sadness, anger, fear, jealousy, pride, shame, guilt, hope, gratitude, loneliness, boredom, curiosity,
        courage, patience, kindness, honesty, friendship, love, trust, forgiveness, ambition, nostalgia, grief, envy,
        disgust, surprise, joy, silence, failure, success, freedom, justice, beauty, luck, time, change, growing up
    """,
    "health": """
        a sore throat, a headache, a stiff neck, back pain, a runny nose, a dry cough, a fever, a sunburn, a twisted ankle,
        a blister, a mosquito bite, heartburn, an upset stomach, food poisoning, motion sickness, dry skin, chapped lips,
        tired eyes, a toothache, hiccups, snoring, muscle cramps, sore feet, a hangover, hay fever, bad breath, dandruff,
        a bruise, a paper cut, dizziness, stress, jet lag, trouble sleeping, cold hands, a stuffy nose, a lost voice
    """,
    "body": """
        the heart, the lungs, the kidneys, the stomach, the spine, the thyroid, the spleen, the pancreas, the eardrum, the
        tongue, the retina, the knee, the hip joint, the skull, the appendix, the bladder, the small intestine, the
        diaphragm, the tonsils, the bone marrow, the Achilles tendon, the collarbone, the optic nerve, the nose
    """,
    "hobby": """
        chess, gardening, knitting, photography, hiking, birdwatching, baking, pottery, fishing, cycling, running, stamp
        collecting, drawing, singing, juggling, astronomy, board games, woodworking, swimming, dancing, reading, writing,
        camping, climbing, calligraphy, origami, model trains, geocaching, sailing, playing the piano, cooking, yoga
    """,
}
