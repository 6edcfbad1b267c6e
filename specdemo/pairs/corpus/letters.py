"""Letters, diary entries, messages and notices: somebody writes to somebody."""

from __future__ import annotations

from specdemo.pairs.corpus.author import Author, Slots

NEWS = (
    "Yesterday {problem}, and [your {kin}|old {surname}|the {trade}] had to {task_my}.",
    "We have had {rough} for {duration}, and the {place} is [under water|quite white|closed].",
    "{pal} has bought a {adjective} {vehicle} and now drives it [to church|around the {place}|everywhere], [much too fast|with great pride|although it makes a terrible {sound}].",
    "I have taken up {hobby}. [So far I am not very good at it|It makes me {feeling_good}|My {kin} finds it {opinion}].",
    "The {event} was {opinion}. {pal} won a {thing}, and I danced with the {trade}.",
    "The {flower_plural} [are in bloom|did not survive the {rough}], but we have more {vegetable} than we can eat.",
    "Do you remember the {trait} {trade} from {town}? [He|She] [has married|has gone to sea|sends you greetings].",
    "Our {pet} has [run away and come back with a {thing}|had {small_number} little ones|eaten my {clothes}].",
    "I am reading a book about {subject}. It is {opinion}.",
    "At night one can hear a {sound} from the {place}, and {pal} says it is [a {animal}|the wind|a ghost].",
    "I am sending you a {adjective} {thing} and some {food}, [which you must share|I hope they arrive in one piece|for you were always fond of them].",
)

QUESTIONS = (
    "[How are you|How is your {kin}|Are you still {feeling}]?",
    "Have you [found your {thing}|mended the {machine}|learned to play the {instrument}]?",
    "Will you come to the {event} in {month}?",
    "Could you bring me a {colour} {thing} from {town}?",
    "What do you think of {subject}?",
)

CLOSINGS = ("Your {kin}", "With love", "Yours truly", "Best wishes", "Yours", "Many greetings", "Your friend", "Sincerely", "Until soon", "In haste")


def _person(author: Author) -> str:
    return author.word(author.pick(("girl", "boy")))


def _slots(author: Author) -> Slots:
    return {"pal": _person(author), "his": "my", "task_my": author.word("task").replace("{his}", "an old")}


def letter(author: Author) -> str:
    """A letter with place and date, greeting, three to six paragraphs and a signature."""
    slots = _slots(author)
    head = author.write("{town}, {day} {month}\n", {"day": str(author.number(1, 28)), "town": author.word("town")})
    name, sender = _person(author), _person(author)
    greeting = author.write("[Dear {name}|My dear {name}|Dear Mr {surname}|Dear Mrs {surname}|Hello {name}|Dear {kin}],", {"name": name})
    opening = author.prose(
        "[Thank you for your letter of {weekday}.|I have not heard from you for {duration}.|At last I find time to write.|"
        "I hope this letter finds you well.|You will be surprised to get a letter from me.|Your {thing} has arrived, many thanks!]",
        slots,
    )
    body = [author.prose(template, slots) for template in author.random.sample(NEWS, author.number(2, 4))]
    body.append(author.prose(author.pick(QUESTIONS), slots))
    if author.chance(0.4):
        body.append(author.prose("[And now I must {task_my}.|The lamp is going out, so good night.|It is {hour}, I must stop.|Write soon.|"
                                 "I count the days until {month}.|P.S. {Pal} [sends a kiss|wants the {thing} back].]", slots))  # fmt: skip
    closing = author.prose(author.pick(CLOSINGS), slots)
    return f"{head if author.chance(0.6) else ''}{greeting}\n{opening} {' '.join(body)}\n{closing},\n{sender}"


DAYS = (
    "[Got up at {hour}|Woke at {hour}|Slept until {hour}]. [{Rough} all day|The sun shone|{Weather_adjective} outside].",
    "[Went|Walked|Rode] to the {place} with {pal}. [We saw a {colour} {animal}|We found a {adjective} {thing}|Nobody was there].",
    "{Pal} [told me|says|believes] that {cause}. I [do not believe it|said nothing|was {feeling}].",
    "For lunch there was {dish}, [which was {opinion}|and I had two helpings|burnt again].",
    "I tried to {task_my}, but {problem}.",
    "I feel {feeling} and {feeling}, and I do not know why.",
    "Finished the book about {subject}. {Opinion}.",
    "[Tomorrow I will {task_my}|I must not forget to {task_my}|I promise to practise the {instrument} more].",
    "In the evening {pal} came with {drink} and {food}, and we talked about {subject} until {hour}.",
    "Lost my {thing}. Found it again in the {thing}.",
    "Dreamed of a {adjective} {animal} that could {dream}.",
)


def diary(author: Author) -> str:
    """One to three dated diary entries."""
    slots = {**_slots(author), "dream": author.pick(("speak", "fly", "count", "sing", "play chess", "read the clock", "cook"))}
    day, month = author.number(1, 26), author.word("month")
    entries = []
    for step in range(author.number(1, 3)):
        lines = [author.prose(template, slots) for template in author.random.sample(DAYS, author.number(3, 6))]
        entries.append(f"{month} {day + step}. {' '.join(lines)}")
    return ("Dear diary,\n" if author.chance(0.3) else "") + "\n".join(entries)


NOTICES = (
    "LOST: a {adjective} {colour} {thing}, {near} the {place}. [Reward: {number} coins|Whoever finds it gets {food}|It was my {kin}'s]. Please ask for {pal} at the {place}.",
    "FOR SALE: {adjective} {vehicle}, [hardly used|{colour}|needs repair], {number} coins. Also a {thing} and {few} {countable}. {pal} {surname}, {town}.",
    "WANTED: a {trait} {trade} to {task_my}. {number} coins a week, {food} and a bed. Ask at the {place} before {hour}.",
    "On {weekday} at {hour} there will be a {event} at the {place}. Bring {food} and a {thing}. [In case of {rough} it takes place in the school|Children free|Dogs are welcome].",
    "Dear neighbours, because {cause}, the {event} will be on {weekday} instead. I am sorry. {pal}",
    "Please do not [feed the {animal_plural}|lean on the {thing}|touch the {flower_plural}|leave your {thing} here]. [They bite|Thank you|It is {adjective}]. The {trade}",
    "The shop of {pal} {surname} has fresh {food}, {food} and {drink} every {weekday}. [Today only|Until {month}]: {number} {countable} for one coin.",
    "{pal}, I have gone to the {place} to {task_my}. There is {dish} in the oven. Back at {hour}. {friend}",
    "FOUND: a {colour} {animal} without a collar, {trait} and very fond of {food}. It sits in my {place_home} and will not leave. {pal} {surname}",
)


def notice(author: Author) -> str:
    """A short message, advertisement or announcement."""
    slots = {**_slots(author), "friend": _person(author), "number": str(author.number(2, 99)),
             "place_home": author.pick(("kitchen", "garden", "bath", "bed", "barn", "shop"))}  # fmt: skip
    return "\n".join(author.prose(author.pick(NOTICES), slots) for _ in range(author.number(1, 2)))
