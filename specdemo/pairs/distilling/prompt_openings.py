"""How instructions begin that the teacher then finishes itself: left alone it asks for lists and advice again and again, people do not."""

from __future__ import annotations


def _several(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for line in text.strip().splitlines() for part in line.split(" | "))


# Only the first words.
OPENINGS = _several("""
What is | What is the | What is a | What are | What are the | What was | What does it mean | What does | What do
What did | What would | What would happen if | What happens when | What makes | What should I | What can I
What kind of | What time | What causes | What can you tell me about | What do you think of | What do people
What do you call | Who was | Who is | Who invented | Who wrote | Who discovered | Who were | Who painted
Who won | Who lives | Who should I | When did | When was | When is | When should I | When do | Where is
Where do | Where does | Where can I | Where did | Where are | Which | Which is | Which of | Which animal
Which country | Which city | Which one is | Which is bigger, | Which river | Which language | Which food
Which books | Why | Why is | Why are | Why do | Why does | Why did | Why can't | Why do people | Why do we
Why is it | Why is my | Why should I | Why don't | Why was | How | How do | How does | How do I | How can I
How did | How many | How much | How long | How far | How old | How big | How fast | How often | How is | How are
How would you | How should I | How to | How come | How much does | How do you say | How do you spell
How does a | How do people | Is | Is it | Is it true that | Is there | Is it safe to | Is it possible to | Is a
Is the | Are | Are there | Are all | Can | Can I | Can a | Can you | Can animals | Could | Could you | Do | Do I
Do you | Do all | Does | Does a | Does it | Did | Did people | Should I | Should | Would | Would you rather
Will | Was | Has | Have you | I | I am | I am a | I am trying to | I have | I have a | I want to | I need
I need a | I don't know | I don't understand | I can't | I cannot | I forgot | I lost my | I just | I feel
I would like | I was | I keep | I think | I wonder | I bought | I found | I hate | I love | I never | I always
I got | I work | My | My dog | My cat | My friend | My mother | My boss | My computer | My phone | My car
My neighbor | My brother | My child | My sister | My teacher | My grandmother | My son | My daughter
My husband | My wife | My house | My bike | My back | My garden | We | We are | We have | There is a | There are
The | The sentence | The word | The number | A friend | Somebody | Someone | Today | Yesterday | Tomorrow
Last night | If | If a | If I | If you | If it | Suppose | Imagine | Imagine you | Let's | Let's play | Please
Help me | Help | Hello | Hi | Good morning | Thank you | Tell me | Tell me a | Tell me about | Tell me how
Tell me why | Talk to me about | Teach me | Write | Write a | Write a poem about | Write a short story about
Write a story | Write a letter | Write a sentence | Write a paragraph | Write a joke | Write an email
Write a song | Write a haiku | Write a dialogue between | Write a function | Write a Python | Write a program
Write a review | Write a speech | Write a note | Write a text | Write two | Write three | Write instructions
Write the | Write an ad | Write a riddle | Write a diary | Write a toast | Write about | Give me | Give me a
Give me an example | Give me three | Give me some | Give me an idea | Give an example of | Give two | Give a
List | List some | List three | List the | List five | List things | Name | Name a | Name three | Name some
Name the | Name two | Suggest | Suggest a | Suggest some | Recommend | Recommend a | Make | Make a list of
Make up | Make this | Create | Create a | Invent | Invent a | Come up with | Think of | Plan | Plan a | Find
Find a | Find the | Explain | Explain the | Explain how | Explain why | Explain what | Explain to a child
Explain in one sentence | Describe | Describe a | Describe the | Describe how | Define | Compare | Compare the
Summarize | Summarize the | Summarize this | Translate | Translate the | Rewrite | Rewrite this | Correct
Correct the | Fix | Shorten | Complete | Finish | Continue | Convert | Calculate | Add | Count | Round | Sort
Put these | Change | Replace | Choose | Pick | Guess | Answer | Argue | Convince me | Show me | Use | Spell
Identify | Classify | Turn | Turn this | Order | Rank | Pretend | Act as | You are | You are a
In one sentence, | In a few words, | In simple words, | In the story | In what year | In which | At what
On which | From | For | For how long | To | With | About | Between | Before | After | During
""")

# With a word of the kind in braces, so that what follows is about something.
FILLED_OPENINGS = _several("""
What is {single} | What is the history of {subject} | What is the point of {subject}
What is so special about {subject} | What is the capital of {country} | What is {country} | What is a {job}
What is a good {thing} | What is inside {machine} | What is the best way to {skill} | What does {subject}
What does a {animal} | What does a {job} | What does "{term} | What does the word {term} | What do {plural}
What do you know about {subject} | What happened in {place} | What happens to {food}
What happens if a {animal} | What if {premise} | What color is a {animal} | What can I do in {city}
What can I cook with {food} | What should a {job} | What should I know about {subject} | What did {figure}
What was {figure} | What are {plural} | What are the rules of {hobby} | What are the parts of {machine}
What helps against {health} | What role does {body} | Who is {figure} | Who was the | Who first {skill}
When did {figure} | When was {subject} | When is {food} | Where does {food} | Where do {plural}
Where is {place} | Where does a {animal} | Which {animal} | Which {thing} | Which is better, {food}
Which is better, to {choice} | Why do {plural} | Why does a {animal} | Why is {single} | Why is {body}
Why is {place} | Why did {figure} | Why do people in {country} | Why do people like {hobby} | Why was {figure}
Why does {machine} | Why are {food} | Why do I feel {feeling} | Why does my {animal} | How do {plural}
How does {single} | How does {machine} | How does a {animal} | How does {body} | How does a {job}
How did {figure} | How did {event} | How do I {skill} | How do I keep {food} | How do I get rid of {health}
How do I tell {name} | How do you make {dish} | How is {dish} | How many {plural} | How many {thing}s
How old was {figure} | How big is {place} | How long does {dish} | How far is {city} | How can a {job}
How can I become a {job} | How can I say that I am {feeling} | How would {figure} | How would a {job}
How would you describe {emotion} | How do people in {country} | How expensive is | Is {subject} | Is {food}
Is a {animal} | Is {place} | Is {hobby} | Is it true that {plural} | Are {plural} | Are {food} | Can a {animal}
Can {machine} | Can I {skill} | Can you {skill} | Do {plural} | Does {machine} | Did {figure}
Should I {choice} | Should a {job} | Would a {animal} | Was {figure} | I am a {job} and | I am {feeling} because
I want to {skill} but | I want to {skill}, and | I have {health} and | I have a {animal} that
I have a {thing} that | I have never tried {hobby} | I need a {thing} for | I would like to visit {city}
I would like to learn about {subject} | I am reading about {subject} | I am writing about {subject}
I am going to {city} | I am bored with {hobby} | I am afraid of {plural} | I have to explain {subject}
I read that {plural} | I heard that {single} | I bought {machine} | My {animal} | My {thing} | My {job}
My friend is {feeling} | My friend {name} | My daughter asked me why {plural} | My son wants to {skill}
My {machine} | {name} has {number} | {name} and {name} | A {job} and a {job} | A {animal} and a {animal}
A {job} has | {situation}. How | {situation}. Should | {problem} and | {fault} when | Yesterday {person}
If {name} has | If a {job} | Imagine that {premise} | Suppose {premise} | Write a poem about {subject}
Write a story about {person} who | Write a story about {person} in {setting}
Write a story in which {premise} and | Write {form} about | Write {form} for a {job}
Write a joke about a {job} | Write a dialogue between a {job} and | Write a dialogue between a {animal} and
Write a letter from a {animal} | Write a letter to {figure} | Write an email to {name}
Write an advertisement for a {thing} | Write a note to {name} | Write a sentence with the word {word}
Write a paragraph about {subject} | Write a recipe for {dish} | Write a description of {place}
Write a riddle about a {thing} | Write a slogan for {nameable} | Write a speech for {occasion}
Write a function that {code} and | Write a Python program that | Write a review of {book}
Write instructions for a {job} | Write about {emotion} | Write a headline about {subject} | Write like {style}
Give me a fact about {subject} | Give me an idea for {occasion} | Give me advice for {occasion}
Give me a synonym | Give me {number} words | Give me {number} reasons to
Give me {number} questions about {subject} | Give an example of {single} | List {number} things
List {number} {plural} | List what a {job} | List the ingredients of {dish} | List some uses for a {thing}
Name {number} {group} | Name a {animal} that | Name a food that | Name a country where
Name a book about {subject} | Name something that | Suggest a name for {nameable}
Suggest a name for a {animal} | Suggest a gift for a {job} | Suggest a hobby for
Suggest an activity for {occasion} | Suggest a dish with {food} | Recommend a book about {subject}
Make a plan for {occasion} | Make up a story about {person} | Make a shopping list for {dish}
Invent a {thing} that | Come up with a title for {titled} | Think of a question about {subject}
Plan a day in {city} | Plan a meal with {food} | Explain {subject} | Explain {subject} to a {job}
Explain why {plural} | Explain what a {job} | Explain how a {animal} | Explain the phrase "{idiom}
Explain the difference between {subject} and | Explain {concept} in | Describe {emotion} | Describe {place} in
Describe a {thing} without | Describe the taste of {food} | Describe a day in the life of a {job}
Describe {setting} at | Compare {subject} and | Compare {city} with | Compare a {animal} with | Summarize {book}
Summarize the life of {figure} | Summarize what happens in | Translate "{word} | Translate into {language}:
How do you say "{word} | Rewrite this sentence: {sentence} | Make this sentence {feeling}: {sentence}
Correct this: {wrong} | Is this sentence correct: {wrong} | Put these in order: | Sort these words:
Which word does not belong: | Finish the sentence: {opening} | Continue the story: {opening} | Convert {number}
What is {number} times | What is {number} plus | What is half of | How much is {count}
If I buy {count} {goods} | {name} buys {count} {goods} | Pretend you are a {animal} | Pretend you are {figure}
You are a {job} | Act like a {job} | Act as {style} and | Teach me something about {subject}
Tell me a joke about {plural} | Tell me a story about {person} | Tell me about {figure} | Tell me how {machine}
Tell me why {plural} | Talk about {subject} | Convince me that {plural} | Convince me to {skill}
Argue that {subject} | In one word, | In one sentence, what is {subject} | To {skill}, do I
Before I {skill}, what | Hi, can you explain {subject} | Hello, I am a {job} | Please explain {single}
Please tell me about {place} | Please help me {skill} | Help me to {skill} without | Help me write {form}
Help me understand {subject}
""")
