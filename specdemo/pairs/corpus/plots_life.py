"""Plots of everyday life: making, learning, quarrelling, competing, giving. A plot is a list of beats, a beat its alternative templates."""

from __future__ import annotations

from specdemo.pairs.corpus.plots_quests import Plot

CONTEST: Plot = (
    (
        "There was going to be a {event1} in {town1}, and {hero} wanted [to take part|to win|to be there] more than anything.",
        "A notice hung at the {place1}: \"[Great {event1} on {weekday}|The winner gets a {treasure1}|Everyone may come].\" {hero} read it {few} times.",
    ),
    (
        "{He} practised [every day|from morning to night|in secret], [until {his} {body} hurt|even in the {rough}|while {friend} watched].",
        "\"You will never win,\" said {friend_intro}. \"[You are too {friend_size}|You have no {thing}|I am much better].\" But {hero} [did not listen|only smiled|worked even harder].",
        "{His} only [rival|opponent] was {friend_intro}, who [boasted all day|had won {few} times|owned a better {thing}].",
    ),
    (
        "On the day of the {event1} [the whole town came|the {place1} was full of people|it rained]. {hero} was so {feeling} that {he} [could not eat|forgot {his} {thing}|dropped {his} {clothes1}].",
        "At {hour} {elder_intro} rang a bell, and it began. {Friend} was [ahead|the first|very sure of {fhimself}].",
    ),
    (
        "In the middle of it {friend} [fell|hurt {fhis} {body}|broke {fhis} {thing2}]. {hero} [stopped|turned back|could have won now], but {he} [helped {fhim} up|lent {fhim} {his} own|did not leave {fhim} there].",
        "Then {hero}'s {thing} [broke|tore|got stuck], and everybody [laughed|held their breath]. {He} [mended it with a {ribbon}|thought quickly|went on without it].",
        "{hero} did not look left or right. {He} [thought of {his} {kin}|breathed calmly|remembered what {elder} had said] and [went on|kept going|did {his} best].",
    ),
    (
        "In the end [{hero} won by a hair|{friend} won, but only just|they both won|{hero} came second]. {Elder} gave [the winner|{him}|them both] a {treasure1} and a [basket|plate] of {food1}.",
        "{hero} came last. Still, [everyone clapped|{friend} was the first to clap|{elder} gave {him} a special prize], because {he} had [helped {friend}|never given up|been fair].",
    ),
    (
        "\"[That was fair|I was wrong about you|Next year we do it together],\" said {friend}, and they {shared} the {food1}.",
        "That evening {hero} [slept very well|hung the prize on the wall|told {his} {kin} everything]. [Winning is fine|It is good to win], {he} thought, but [a friend|{virtue}] is better.",
    ),
)

QUARREL: Plot = (
    (
        "{hero} and {friend_intro} were [best friends|neighbours|partners]. But one day they quarrelled about a {adjective1} {thing}.",
        "{hero} borrowed a {thing} from {friend_intro} and [broke it|lost it|forgot to bring it back].",
    ),
    (
        "\"[It is mine|You are always so {trait}|I saw it first]!\" shouted {hero}. \"[No, it is mine|And you are {trait}|Then I do not want to see you again]!\" shouted {friend}.",
        "{Friend} was so {feeling} that {fhe} [slammed the door|did not say a word|went away without {fhis} {clothes1}].",
    ),
    (
        "For {duration} they did not speak. {hero} [ate {his} {food1} alone|sat in {his} {home1}|walked along the {place1}] and was {feeling}.",
        "Without {friend} [the days were long|nothing was fun|even {food1} did not taste good]. {hero} [thought about it|could not sleep|looked out of the window].",
    ),
    (
        "{Elder_intro} saw it and said, \"[A {thing} can be mended, but a friend|Who is the wiser one says sorry first|What is a {thing} against a friend].\"",
        "Then the {danger1} came, and {friend} [needed help|was in trouble|could not get away]. {hero} forgot the quarrel and [ran to {fhim}|came at once|brought a {tool1}].",
        "So {hero} [baked {dish1}|wrote a letter|picked a {flower1}|mended the {thing}] and {went} to {friend}'s door, where {he} stood {adverb}.",
    ),
    (
        "\"I am sorry,\" said {hero}. \"[So am I|I was wrong too|I am glad you came],\" {told} {friend}.",
        "They both said \"sorry\" at the same time, and then they both [laughed|began to cry|{blushed}].",
    ),
    (
        "They [cut the {food1} in two|put the {thing} between them|agreed to take turns], and [that was the end of it|nobody spoke of it again|from then on they shared everything].",
        "Now the {thing} [belongs to both of them|hangs above the door|stands between their houses], to remind them of [that day|how foolish they had been|{virtue}].",
    ),
)

MAKING: Plot = (
    (
        "{hero} wanted to [build|make|repair] a {machine1}, [although|but] {he} had never [done it before|held a {tool1} in {his} hands].",
        "{hero} [decided to bake {dish1}|wanted to paint the {place1}|planned to sew a {clothes1}] for the birthday of {his} {kin}.",
        "The {machine1} of the village was broken, and [nobody could mend it|all the experts had given up]. {hero} [thought about it all night|wanted to try].",
    ),
    (
        "{He} needed {material}, a {tool1} and {small_number} {adjective} {countable}. The {material} {he} [bought in {town1}|found at the {place1}|got from {friend_intro}].",
        "First {he} made a drawing. Then {he} [cut|measured|hammered|sewed|glued] until {hour}. [It looked terrible|It fell apart|It was too {adjective}].",
    ),
    (
        "\"What is that?\" asked {friend_intro}. \"[It looks like a {thing}|Is it a {animal}|It will never work].\" {hero} was {feeling}, but {he} did not stop.",
        "At the first try it [fell down|went up in smoke|made a {sound1}|fell into the river]. At the second try [it was a little better|the {thing} came off|the same thing happened].",
        "{Friend} came to help. {Fhe} held the {tool1} while {hero} [tied the rope|counted to {small_number}|poured in the {drink1}].",
    ),
    (
        "{Elder_intro} looked at it and said, \"[You have put it in upside down|You need more {material}|Take your time].\" And {ehe} showed {him} [how to do it|a trick|where the mistake was].",
        "In the night {he} had an idea: [a bigger wheel|less {ingredient}|a {material} handle|one more screw]! {He} jumped out of bed and [tried it at once|wrote it down].",
    ),
    (
        "And this time it worked! It [shone|hummed|turned|stood] [as if it had always been there|so that everybody stared|just as {he} had imagined].",
        "When it was finished, it was [{colour1} and {adjective}|a bit crooked|more beautiful than any other], and {hero} was very {feeling_good}.",
    ),
    (
        "[People came from {town1}|All the neighbours came] to see it. \"[How did you do it|Who taught you that|May I try it]?\" they asked. \"[Step by step|With {virtue}|With the help of {friend}],\" said {hero}.",
        "{His} {kin} [laughed with joy|had never had a better present|kept it for the rest of {his} life].",
    ),
)

LEARNING: Plot = (
    (
        "{hero} was afraid of [the dark|deep water|{rough}|loud noises|high places|{animal_plural}|speaking before people]. {He} told nobody about it.",
        "{hero} could not [swim|read|whistle|skate|count|play the {instrument1}|dance], and [the others laughed at {him}|{he} was ashamed of it].",
    ),
    (
        "[One day|Then] {friend_intro} [saw it|noticed|asked {him} about it]. \"[Everybody is afraid of something|I can teach you|It took me {duration} to learn],\" {friend} {told}.",
        "{Elder_intro} gave {him} a {adjective1} {thing} and said, \"[Keep it with you|As long as you hold it, nothing can happen|Practise a little every day].\"",
    ),
    (
        "They began [with small steps|in the garden|at the {place1}]. [The first day it was hard|At first {hero} wanted to run away|It went wrong {few} times].",
        "\"[Again|Once more|Slowly],\" said {friend}. {hero} [took a deep breath|closed {his} eyes|counted to {small_number}] and tried again.",
    ),
    (
        "Then came the day of the {danger1}. [There was no time to be afraid|Nobody else was there], and {hero} had to [do it|try|go] alone.",
        "After {duration} {he} could do it [a little|quite well|with {his} eyes closed]. {Friend} clapped {fhis} hands.",
    ),
    (
        "{He} did it! [{His} knees shook|{His} {body} was wet|The {thing} fell down], but {he} did it, and [the others cheered|{friend} cheered|{he} laughed out loud].",
        "\"I was afraid all the time,\" {hero} {told}. \"[That is what brave means|So was I|Nobody saw it],\" said {friend}.",
    ),
    (
        "The {thing}, by the way, was [quite an ordinary one|not magic at all|only a {thing}]. But {hero} [kept it all {his} life|gave it to a child who needed it].",
        "Today {hero} [teaches others|does it every {weekday}|laughs about it], and [when someone is afraid|to the little ones] {he} says, \"[Take my hand|Small steps|We have time].\"",
    ),
)

GIFT: Plot = (
    (
        "It was the birthday of {friend_intro}, and {hero} had [no present|only {few} coins|forgotten it]. {Friend} loved {hobby1} and {food1}.",
        "{hero} wanted to buy a {thing} for {friend_intro}, but it cost {small_number} coins and {he} had only one.",
    ),
    (
        "So {he} worked for the {trade}: {he} had to {task} and to {task}. In the evening {he} got {small_number} coins and a bag of {food}.",
        "{He} {went} to the {place1} and sold {his} own {thing2}, [although {he} loved it|though it hurt a little|without a word].",
    ),
    (
        "On the way {he} met {elder_intro}, who was [hungry|cold|out of luck]. {hero} [gave {ehim} the coins|could not pass by|looked at {his} money and sighed].",
        "At the shop the {trade} said, \"[The {thing} has been sold|It costs more today|We close at {hour}].\" {hero} was {feeling}.",
    ),
    (
        "{Elder} thanked {him} and gave {him} a {adjective1} {treasure1}: \"[It is not much|I do not need it any more|You will know what to do with it].\"",
        "Then {he} had an idea. {He} [picked a {flower1}|wrote a song|carved a little {animal} out of {material}|cooked {dish1}] and wrapped it in {colour} paper.",
    ),
    (
        "{Friend} opened it and [was silent|cried|laughed]. \"[This is the best present I ever got|How did you know|You made it yourself]!\"",
        "When {friend} saw it, {fhe} {gesture_f} and hugged {hero}. [Then they ate {dish1}|They danced until {hour}|There was {drink1} for everybody].",
    ),
    (
        "For [a present from the heart|a gift] does not have to [cost much|be big|be new].",
        "And {hero}? {He} went home with [empty pockets and a full heart|a piece of cake|a song in {his} head].",
    ),
)

GARDEN: Plot = (
    (
        "{hero} [planted|put] a [seed|strange seed|bean|nut] in the earth {near} the {place1}. {Friend_intro} had given it to {him} for a {thing}.",
        "Nothing grew in the garden of {hero}, [because {he} was too {hero_trait}|for the soil was {adjective}|although {he} watered it every day].",
    ),
    (
        "{He} watered it [every morning|with {drink1}|when the {rough} was gone] and [talked to it|sang to it|waited]. For {duration} nothing happened.",
        "\"[It is dead|It needs time|You must be patient],\" said {friend}. {hero} [waited|did not give up|was {feeling}].",
    ),
    (
        "Then one {part_of_day} a [green|tiny|{colour1}] leaf came out. {hero} [jumped for joy|called {friend}|built a fence of {material} around it].",
        "But a {animal} came and [ate|trampled|pulled at] the first leaves. {hero} [chased it away|gave it {food1} instead|made a scarecrow out of a {clothes1}].",
    ),
    (
        "It grew [as high as the house|and grew|into a {tree1}], and in {month} there were {colour1} [flowers|fruits|bells] on it, [each as big as a {thing}|which smelled of {smell}|{adjective} and {adjective}].",
        "In {season} {he} harvested {small_number} baskets of {vegetable}. [It was too much for one.|The cellar was full.|What should {he} do with them?]",
    ),
    (
        "{He} gave some to {friend}, some to {elder_intro} and the rest to [the poor of {town1}|the birds|everyone who came by].",
        "They made {dish1} out of it and invited [all the neighbours|{elder_intro}|even the {animal} that had eaten the leaves].",
    ),
    (
        "And every {season}, when it blooms, {hero} sits under it [with a cup of {drink1}|next to {friend}] and [remembers|is {feeling_good}|plans what to plant next].",
        "\"You see,\" said {friend}, \"{virtue} [makes things grow|is the best gardener|was all it needed].\"",
    ),
)

EVERYDAY: dict[str, Plot] = {
    "contest": CONTEST,
    "quarrel": QUARREL,
    "making": MAKING,
    "learning": LEARNING,
    "gift": GIFT,
    "garden": GARDEN,
}
