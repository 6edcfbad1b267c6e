"""Plots in which something is looked for, reached or survived. A plot is a list of beats, a beat is its alternative templates."""

from __future__ import annotations

Plot = tuple[tuple[str, ...], ...]

LOST_AND_FOUND: Plot = (
    (
        "{hero} [noticed|saw|found out] that {his} {colour1} {thing} was [gone|missing|not in its place].",
        "{hero} wanted to [use|clean|show {friend}] {his} {adjective1} {thing}, but it was [gone|nowhere to be found|no longer there].",
        "{hero} lost {his} {thing}. It was [a present from {his} {kin}|the only one {he} had|old and {adjective}, but {he} loved it].",
    ),
    (
        "{He} looked under the {thing2}, behind the [door|stove|curtain|{tree1}] and even in the [pot|oven|{place}], but there was only {adjective} dust.",
        "{He} searched [all day|for {duration}|everywhere], [in the {place1}|under every {adjective} stone|in every drawer], and found nothing but a {thing}.",
        '"[Where can it be|Who has taken it|Did somebody see my {thing}]?" {he} [asked|cried|wondered]. Nobody [knew|answered|could say].',
    ),
    (
        'Then {he} met {friend_intro}. "[Why are you so {feeling}|What are you looking for|Have you lost something]?" {fhe} asked. '
        '"My {thing}," said {hero}. "It is {colour1} and [very dear to me|rather {adjective}|I need it for the {event1}]."',
        '{Friend_intro} [came by|was sitting near the {place1}|heard {him} and stopped]. "[Let us look together|Four eyes see more than two|'
        'I will help you]," {friend} {told}, "[but first eat some {food1}|when did you see it last|tell me where you went]."',
        "{He} asked {friend_intro}, who [thought for a while|{gesture_f}|knew every corner of the {place1}] and [pointed|led {him}] to the {place2}.",
    ),
    (
        "Together they [went back|{went}] to the {place2}. [There were {adjective} footprints|The grass was flat|Something [shone|glittered|rattled]] [beside the {tree1}|between the stones|in the mud].",
        "They {went} {terrain} and asked everyone they met: the {trade}, the {animal}, even the {adjective} {trade} from {town1}.",
        '"I remember," {hero} {told}. "I was at the {place2} [yesterday|in the morning|before the {rough} came]." So they {went} there {adverb}.',
    ),
    (
        "[There it was|And there lay the {thing}], [under a heap of leaves|in the nest of a {animal}|on top of a {adjective} {thing2}|half hidden in the {adjective} grass].",
        "A {animal} had [taken|borrowed|found] the {thing} [to decorate its nest|because it liked {colour} things|and was playing with it]. [It was sorry|It gave it back at once|It wanted a piece of {food1} for it].",
        "The {thing} hung on a branch of the {tree1}, where {hero} {himself} had [hung it|put it|left it] {duration} before.",
    ),
    (
        '"[Thank you|You are a true friend|I would never have found it alone]," said {hero}, and [gave {friend} half of {his} {food1}|invited {friend} to {his} {home1}|shook {fhis} hand for a long time].',
        "{hero} was so {feeling_good} that {he} [sang all the way home|danced around the {tree1}|hugged {friend}]. From then on {he} [always put the {thing} in the same place|tied the {thing} to {his} belt|looked after {his} things].",
    ),
)

JOURNEY: Plot = (
    (
        "{hero} [decided|made up {his} mind|promised {his} {kin}] to travel to the {place2} [in search of|to find|to bring back] a {treasure1}.",
        "{His} {kin} was ill, and only {food1} from the {place2} near {town1} could help. So {hero} packed a {thing} and some {food}.",
        "A letter came from {town1}. [It said|In it was written]: \"[Come at once|Bring the {thing}|We need your help], [the {place2} is in danger|it is about the {treasure1}|ask for {elder_call}].\" {hero} left before {hour}.",
        "{hero} had always wanted {wish1}, and for that {he} had to cross the {place1} and go to {town1}.",
    ),
    (
        "{He} {went} {terrain} and {terrain} until {his} {body} [hurt|ached]. At {hour} {he} came to a {adjective} {place}.",
        "The way was [long|{adjective}|steeper than {he} had thought]. {Rough} came up, and {he} [hid under a {tree1}|put on {his} {clothes1}|sang to keep up {his} courage].",
        "On the [first|second|third] day {he} met {friend_intro}, who was [stuck in the mud|carrying a {adjective} {thing2}|selling {food1}|sitting beside the road].",
    ),
    (
        '{Friend} asked, "[Where are you going|May I come with you|What have you got in your bag]?" "[To the {place2}|I am looking for a {treasure1}|Far away, to {town1}]," {told} {hero}.',
        "There {he} shared {his} {food} with {friend}, and [because {fhe} was grateful|in return|after the meal] {fhe} told {him} about the {danger1} ahead.",
        "A {adjective} {place} [barred|blocked] the way. {Friend} knew [a secret path|how to cross it|an old {trade} with a boat], and {hero} followed {fhim} {adverb}.",
    ),
    (
        "Suddenly there was a {danger1}. {hero} [was {feeling}|held {his} breath|wanted to run away], but {friend} [took {his} hand|called, \"Keep going\"|threw {him} a rope].",
        "In the night they heard a {sound1}. \"[It is only the {animal}|It comes from the {place2}|Do not be afraid],\" {friend} {told}. Nobody slept much.",
        "They lost the way in the {rough}. {hero} climbed a {tree1} and saw [a light|smoke|the roofs of {town1}] {far}.",
    ),
    (
        "At last they [reached|stood before|came to] the {place2}. [An old {trade}|{Elder_intro}] [opened the gate|sat there and smiled|was waiting for them] and asked [three riddles|for their names|what they wished for].",
        "Behind the {place2}, in a {adjective} box, lay the {treasure1}. It was [smaller than|just as {colour1} as|much more beautiful than] {hero} had [dreamed|imagined|hoped].",
        '"You have come a long way," said {elder}. "[Take the {treasure1}|Here is what you need|The {thing} is yours], [but share it|and use it well|because you were brave]."',
    ),
    (
        "{hero} and {friend} [went home|turned back|took the {vehicle} home], and [the whole village|everyone in {town1}|{his} {kin}] [was waiting|came to meet them|wanted to hear the story].",
        "When {hero} came home {duration} later, {he} was [no longer {feeling}|tired but {feeling_good}|a little wiser]. {He} put the {treasure1} on the shelf and made some {drink1}.",
    ),
)

STORM: Plot = (
    (
        "The sky [turned|grew|became] {colour}, and {rough} came over the {place1}. {hero} was [far from {his} {home1}|alone|still outside].",
        "{Rough} began [all at once|without warning|at {hour}], so [strong|heavy|loud] that the {tree1} [shook|bent|creaked].",
    ),
    (
        "{He} [ran|hurried|crawled] to the {place2} and [knocked at the door|hid behind a wall|crept under a {adjective} {thing}].",
        "{His} {clothes1} was wet, {his} {body} was cold, and the path had [vanished|turned to mud|become a stream].",
        "The {rough} blew {his} {thing} away, over the {place1} and [out of sight|into the river|up into a {tree1}].",
    ),
    (
        "There sat {friend_intro}, [just as wet|shivering|with a small lamp]. \"[Come in|There is room for two|Sit down],\" said {friend}, \"[I have {food1}|the fire is warm|it will pass].\"",
        "Somebody was calling for help. It was {friend_intro}, [caught under a branch|up to the neck in water|who could not find the way].",
        "{Friend_intro} opened the door. \"[You poor thing|Who comes so late|Quick, come in]!\" {fhe} cried and gave {him} some {drink1}.",
    ),
    (
        "They [shared the {food1}|told each other stories|counted the seconds between the flashes|sang against the wind] until the {rough} [grew weaker|was over|had passed].",
        "{hero} [took a rope|did not think twice|pulled with all {his} strength], and at the third try {friend} was [free|safe|out of danger].",
        "\"Are you not afraid?\" asked {hero}. \"[A little|Not any more|I was, before you came],\" {friend} {told} and [put another log on the fire|moved closer|{gesture_f}].",
    ),
    (
        "In the morning [the sun shone|everything was quiet|the air smelled of {smell}]. The {place1} was [full of branches|under water|white and still], and [they began to clear it up together|they laughed at it].",
        "When it was over, they found a {treasure1} [washed up by the water|under the fallen {tree1}|in the mud].",
    ),
    (
        "Since that day {hero} and {friend} [have been friends|visit each other every {weekday}|are never afraid of {rough}].",
        "\"[Come back when the sun shines|Next time bring your {kin}|You can always stay here],\" said {friend}. And {hero} did.",
    ),
)

MYSTERY: Plot = (
    (
        "{hero} heard a {sound1} coming from the {place1}. [It came every night|Nobody else heard it|It was soft at first and then louder].",
        "Every {part_of_day} a [piece|plate|basket] of {food1} [vanished|disappeared] from the {home1}, and nobody knew [why|how|who took it].",
        "There was a {adjective1} light in the {place1}, though [nobody lived there|the place had been empty for {duration}].",
    ),
    (
        "{He} took a {thing} and a {tool} and {went} there {adverb}. {His} heart [beat fast|was pounding]. The air smelled of {smell}.",
        "\"[It must be a ghost|Perhaps it is a thief|I want to know],\" {he} thought, and [hid behind a {tree1}|waited until midnight|followed the tracks].",
        "{He} asked {friend_intro} to come along, because [two are braver than one|{fhe} was not afraid of anything|{fhe} owned a lamp].",
    ),
    (
        "[First they found|On the floor lay|Behind the door was] a {adjective} {thing2}, then [crumbs of {food1}|a {colour} thread|{adjective} footprints], then [a half-open door|a hole in the wall|a narrow stair].",
        "The {sound1} came [nearer|again|from below]. A shadow [moved|jumped|crept] along the wall, as big as a {animal}.",
        "They followed the [marks|trail|smell] {terrain} and {terrain}, until it ended [at a {tree1}|before the {place2}|in front of a {adjective} box].",
    ),
    (
        "[It was only|And what did they see? It was] {elder_intro}, who [could not sleep|was hungry|practised the {instrument1} in secret|was building a {machine1}].",
        "[Out came|There sat] a family of {animal_plural}, {adjective} and [frightened|hungry|half asleep]. They had [made their nest there|come in from the cold|lost their home].",
        "It was only the wind, which blew through a {adjective} {thing2} and [made it ring|let it swing|made a {sound1}].",
    ),
    (
        "{hero} [laughed|had to laugh|was relieved] and said, \"[Why did you not ask|You need not hide|So that was all]?\"",
        "\"Please do not tell anyone,\" [the stranger begged|whispered a voice]. {hero} {gesture} and promised to keep the secret.",
        "\"[I was so ashamed|I only wanted to learn|I have nowhere to go],\" said {elder}. {hero} gave {ehim} some {food1} and a {clothes1}.",
    ),
    (
        "Now they [meet there every {weekday}|bring {food1} there every evening|play the {instrument1} together], and the {place1} is no longer a place to be afraid of.",
        "The next day {hero} told [everyone|{his} {kin}|only {friend}] [what {he} had seen|the truth|that there are no ghosts]. And {friend} said, \"[I knew it|Next time we bring {food}|That was fun].\"",
    ),
)

LOST_CHILD: Plot = (
    (
        "{hero} found {friend_intro} crying [at the {place1}|under a {tree1}|near the {place2}]. \"[I am lost|I cannot find my {kin}|I do not know the way home],\" {fhe} [sobbed|said].",
        "{Near} the {place1} sat {friend_intro}, [lost and alone|frightened|in tears]. {Fhis} {body} was [bleeding|full of mud|cold].",
    ),
    (
        "\"[Do not cry|Wipe your tears|We will find it],\" {hero} {told}. \"What does your home look like?\" \"[There is a {colour} door|It smells of {smell}|It stands {near} a {place2}],\" said {friend}.",
        "{hero} gave {fhim} {food1} and [wrapped {fhim} in a {clothes1}|cleaned the wound|sang a song], and then they set out together.",
    ),
    (
        "They asked the {trade}, who [sent them to the {place2}|had seen nobody|only shrugged]. They asked the {animal}, who [knew|had heard] of a {home1} {near} the {place}.",
        "They {went} {terrain}. At every corner {hero} asked, \"[Is it here|Do you know this street|Was it this one]?\" and {friend} [shook {fhis} head|said no].",
        "{Friend} was tired, so {hero} carried {fhim} [on {his} back|in a basket|in a cart] {terrain}.",
    ),
    (
        "At {hour} they [smelled {smell}|heard a {sound1}|saw a {colour} light]. \"[That is it|There|My home]!\" cried {friend}.",
        "Then they heard someone calling. It was {elder_intro}, who had been looking for {friend} [all day|since {hour}|everywhere].",
    ),
    (
        "[Everybody hugged everybody|How happy they were]. {Elder} [cooked {dish1}|gave {hero} a {thing}|did not know how to thank {hero}].",
        "{Elder} took {friend} in {ehis} arms and said to {hero}, \"[You have a good heart|Stay for supper|We shall never forget this].\"",
    ),
    (
        "{hero} [walked home|went back alone], but {he} did not feel lonely any more.",
        "Every [year|{season}|{weekday}] {friend} brings {hero} a [basket|bag] of {food1}.",
    ),
)

QUESTS: dict[str, Plot] = {
    "lost_and_found": LOST_AND_FOUND,
    "journey": JOURNEY,
    "storm": STORM,
    "mystery": MYSTERY,
    "lost_child": LOST_CHILD,
}
