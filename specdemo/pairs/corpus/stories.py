"""Stories: an opening that introduces the hero, one plot, remarks along the way, an ending."""

from __future__ import annotations

from specdemo.pairs.corpus.author import Author, Slots
from specdemo.pairs.corpus.cast import company
from specdemo.pairs.corpus.plots_life import EVERYDAY
from specdemo.pairs.corpus.plots_quests import QUESTS

PLOTS = {**QUESTS, **EVERYDAY}

OPENINGS = (
    "Once upon a time there was {hero_intro} who lived [{near} the {place1}|in a {home1}|in a {home1} {near} the {place1}].",
    "Once upon a time [there lived {hero_intro}|{hero_intro} lived] [in {town1}|{near} the {place1}|in a {adjective} {home1}].",
    "There once was {hero_intro} who [loved {hobby1}|wanted {wish1}|was always {feeling}|could not live without {food1}].",
    "{Hero_intro} lived [{near} the {place1}|in a {home1}] with {his} {kin} and a {pet}.",
    "[Long ago|Many years ago|In the old days|Far away, in the land of {town1}], {hero_intro} lived {near} a {place1}.",
    "In {town1}, {near} the {place1}, there was a {home1}, and in it lived {hero_intro}.",
    "This is the story of {hero_intro} who [had a {adjective} {thing2}|lived {near} the {place1}|wanted {wish1}].",
    "[Not so long ago|Last {season}|One {season}], {hero_intro} moved into a {home1} {near} the {place1}.",
    "[Have you heard|Do you know the story] about {hero_intro} from {town1}[?|, who loved {food1}?|, who was never without a {thing2}?]",
    "Let me tell you about {hero_intro} from {town1}, who [loved {food1}|was never without a {thing2}].",
    "{Hero_intro} and {his} {kin} had a [small|little|{adjective}] {home1} {near} the {place1} in {town1}.",
    "Everyone in {town1} knew {hero_intro}, [for {he} loved {hobby1}|because {he} always wore a {colour} {clothes1}|who sold {food1} at the {place1}].",
    "\"[Tell me a story|Once more, please],\" said the child. \"Well then,\" said {his} {kin}. \"There was once {hero_intro} [who lived {near} the {place1}|who loved {hobby1}]. Listen.",
)

MORE_ABOUT = (
    "{He} had a {adjective} {thing2} and a {colour} {clothes1}, and that was all.",
    "{He} [liked|loved] {food1} and {hobby1}, but {he} did not like {rough}.",
    "[Every day|Every {part_of_day}|On {weekday}s], {he} [had to|used to] {task}.",
    "People said that {he} was too {hero_trait}, [and perhaps they were right|but that was not true|and laughed about it].",
    "{His} best friend was a {pet} called {pet_name}.",
    "{His} {home1} was {adjective} and smelled of {smell}.",
    "What {he} wanted most was {wish1}.",
    "{His} {kin} [often said|used to say], \"[{virtue_c} is better than gold|Beware of {vice}|Every day brings something new].\"",
)

TIMES = (
    "One {weather_adjective} {part_of_day}",
    "One {part_of_day}",
    "One {part_of_day} in {month}",
    "Early one {weather_adjective} {part_of_day}",
    "One day, at {hour},",
    "On a {weather_adjective} {part_of_day}",
    "It was a {weather_adjective} {part_of_day} in {month} when",
    "Then, one {weekday},",
)

DOINGS = (
    "{hero} [woke up early|could not sleep|got up before {hour}] and [went to the {place1}|looked out of the window|put on {his} {clothes1}].",
    "{hero} {went} to the {place1} to {task}.",
    "{hero} {went} {terrain} with a {thing2} [on {his} back|in {his} hand|under {his} arm].",
    "{hero} was sitting {near} the {place2}, [eating {food1}|thinking of nothing|listening to the {rough}|busy with {hobby1}].",
    "{hero} had just [finished {his} {food1}|made some {drink1}|sat down to rest] when something [happened|strange happened|moved outside].",
    "{hero} was on the way to the {place2}, for {his} {kin} had asked {him} to {task}.",
    "{hero} [found|saw|picked up] a {treasure1} [on the road|{near} the {place1}|between two stones], but that is another story.",
)

REMARKS = (
    "The {place1} was {adjective} and {adjective}.",
    "It was {weather_adjective}, and the air smelled of {smell}.",
    "Somewhere a {animal} [called|cried|was singing].",
    "{hero} {gesture}.",
    "{friend} {gesture_f}.",
    "\"[What a day|How strange|If only my {kin} could see this|I wish I had my {thing2}],\" thought {hero}.",
    "\"[Are you {feeling}|Do you like {food1}|What is that {sound1}|Is it far]?\" asked {friend}. \"[A little|Yes, very much|I do not know|Not at all],\" {told} {hero}.",
    "A {colour} {animal} [watched them|flew past|ran across the path] and was gone.",
    "{hero} had never [felt so {feeling}|seen such a {adjective} {thing}|been so far from {his} {home1}].",
    "They [ate|shared] some {food} and drank {drink1}.",
    "{friend} hummed a song about a {animal} and a {thing}.",
    "In {his} pocket {hero} had a {thing}, {few} {countable} and a piece of {material}.",
    "It struck {hour}.",
    "\"{opinion_c},\" said {friend}, \"[{opinion}|but {opinion}]!\"",
    "And because {cause}, they had to wait.",
)

ENDINGS = (
    "And [they lived happily ever after|that was the end of it|so it stayed for many years].",
    "The moral: {virtue} is worth more than {adjective} {material}.",
    "And {hero} never forgot {that} {part_of_day}.",
    "That night {hero} fell asleep [{adverb}|at once|with a smile], and dreamed of {food1} and a {colour1} {thing}.",
    "[If you go to {town1}|Whoever passes the {place1}], you can still [see the {thing}|hear the {sound1}|ask {friend} about it].",
    "\"[Good night|The end|And now to bed],\" said {his} {kin}.",
    "So {hero} learned that {vice} [leads nowhere|costs more than it brings], and that {virtue} [helps|is a treasure].",
    "",
    "",
    "The end.",
)


def story_slots(author: Author) -> Slots:
    """The slots of one story: its cast and things, and a few that its templates share."""
    slots = company(author)
    pet_name = author.word(author.pick(("girl", "boy")))
    slots.update(
        pet_name=pet_name,
        virtue_c=lambda: author.word("virtue").capitalize(),
        opinion_c=lambda: author.pick(("Well", "Oh", "Listen", "Believe me", "I tell you", "Honestly")),
        that=author.pick(("that", "this")),
    )
    return slots


def story(author: Author) -> str:
    """One story of 100 to 350 words, in one or several paragraphs."""
    slots = story_slots(author)
    sentences = [author.prose(author.pick(OPENINGS), slots)]
    quoted = sentences[0].startswith('"')
    for _ in range(author.number(0, 2)):
        sentences.append(author.prose(author.pick(MORE_ABOUT), slots))
    moment = author.pick(TIMES)
    doing = author.pick(DOINGS)
    sentences.append(author.prose(f"{moment} {doing}" if moment.endswith(("when", ",")) else f"{moment}[,|] {doing}", slots))
    plot = PLOTS[author.pick(tuple(PLOTS))]
    skipped = author.number(2, len(plot) - 2) if author.chance(0.15) else -1
    breaks = author.chance(0.4)
    for index, beat in enumerate(plot):
        if index == skipped:
            continue
        if author.chance(0.2):
            sentences.append(author.prose(author.pick(REMARKS[:2] + REMARKS[2:4] if index < 2 else REMARKS), slots))
        sentences.append(("\n" if breaks and author.chance(0.4) else "") + author.prose(author.pick(beat), slots))
    ending = author.pick(ENDINGS)
    if quoted:
        ending = "The end.\""
    if ending:
        sentences.append(author.prose(ending, slots))
    return " ".join(sentences).replace(" \n", "\n")
