"""Words about the world: places, homes, weather, times, numbers, events, sounds and smells."""

from __future__ import annotations

LISTS: dict[str, str] = {
    "town": """Alderby, Brackenford, Coldwater, Dunmore, Eastwick, Fernhill, Greystone, Hollowell, Ivybridge, Kingsmere, Larkfield, Millbrook,
    Northgate, Oakhurst, Penrose, Quarrydale, Ravensholm, Silverton, Thornbury, Upper Wold, Westmarsh, Yarrow, Ashdown, Birchwood, Cloverley,
    Dovecote, Elmstead, Foxcombe, Goldcrest, Heatherton, Lisbon, Vienna, Cairo, Kyoto, Bergen, Lima, Prague, Nairobi, Dublin, Oslo""",
    "place": """forest, river, hill, lake, village, market, meadow, old mill, harbour, garden, castle, cave, bridge, orchard, pond, beach,
    mountain, tower, farm, field, well, library, station, island, church, school, marsh, waterfall, crossroads, valley, barn, quarry,
    lighthouse, stream, windmill, town square, bakery, stable, churchyard, ruined wall, hollow tree, fairground, inn, workshop, attic,
    cellar, museum, railway bridge, clock tower, greenhouse, rose garden, ferry landing, sand dunes, big rock, beech wood""",
    "home": """cottage, hut, hole under the roots, house with a green door, tower, cave, nest, little room above the bakery, wooden house,
    burrow, houseboat, stone house, tent, old windmill, barn, hollow tree, cabin, castle, farmhouse, tiny house with a crooked chimney""",
    "near": "near, beside, behind, not far from, at the edge of, close to, across from, below, on the far side of, just past",
    "weather": """rain, snow, fog, wind, sunshine, a storm, frost, hail, mist, thunder, drizzle, sleet, heavy clouds, a light breeze, heat,
    clear skies, a cold wind from the north, showers""",
    "weather_adjective": """cold, warm, rainy, windy, foggy, sunny, snowy, stormy, frosty, bright, grey, misty, hot, mild, chilly, damp, clear,
    cloudy, dark, golden, icy, breezy, gloomy, wet""",
    "part_of_day": "morning, evening, afternoon, night, day, Sunday, Monday, market day, spring morning, autumn evening, winter night, summer day",
    "season": "spring, summer, autumn, winter",
    "month": "January, February, March, April, May, June, July, August, September, October, November, December",
    "weekday": "Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday",
    "hour": """one o'clock, two o'clock, three o'clock, four o'clock, five o'clock, six o'clock, seven o'clock, eight o'clock, nine o'clock,
    ten o'clock, noon, midnight, half past two, half past six, a quarter to nine, sunrise, sunset, dusk, dawn, teatime""",
    "few": "two, three, four, five, six, seven, nine, a dozen, several, a few, many, ten",
    "small_number": "two, three, four, five, six, seven, eight, nine, ten, eleven, twelve",
    "duration": """an hour, two days, a week, three years, a long time, a short while, many years, a whole summer, a single night, ten minutes,
    half a day, nearly a month""",
    "event": """wedding, birthday, fair, concert, race, harvest feast, school play, picnic, market, dance, parade, regatta, flower show,
    kite festival, bonfire, funeral, election, exhibition, chess match, baking contest, spelling contest, snowball fight""",
    "sound": """knock, whistle, crash, song, soft cry, bell, rustling, bark, splash, humming, creaking, laughter, rumbling, scratching,
    distant drum, clatter, sneeze, howl, tapping, sigh, squeak, strange melody""",
    "smell": """fresh bread, wet leaves, smoke, roses, the sea, hot soup, pine needles, old paper, apples, honey, paint, burnt sugar, hay,
    wood shavings, rain, lavender, cinnamon, mud, candle wax, tar""",
    "problem": """the roof leaked, the well was dry, the bridge had fallen down, the clock had stopped, the road was flooded, the bread was burnt,
    the fence was broken, the lamp would not light, the boat had a hole in it, the wheel had come off, the key was bent, the fire had gone out,
    the door was stuck, the bees had flown away, the milk had gone sour, the letters were wet, the hens had escaped, the map was torn""",
    "task": """mend the roof, feed the hens, sweep the floor, water the garden, carry the milk, post a letter, paint the fence, fetch water,
    pick apples, chop wood, wash the windows, bake a cake, light the fire, dig a well, tie up the boat, clean the stable, count the sheep,
    polish the bells, sort the buttons, wind the clock, repair the wheel, write to {his} aunt, hang out the washing, peel the potatoes""",
    "wish": """to see the sea, to fly like a bird, to learn to read, to find a friend, to build a boat, to sing in the choir, to be brave, to win
    the race, to travel around the world, to grow the biggest pumpkin, to meet the queen, to have a house of {his} own, to touch the snow,
    to play the violin, to cook the best soup in the land, to climb the mountain, to sleep for a week, to own a clock, to be tall""",
    "danger": """flood, fire, thief, storm, wolf, dark tunnel, landslide, swarm of wasps, broken bridge, deep hole, fierce dog, thick fog,
    runaway cart, angry bull, falling tree""",
    "direction": "left, right, north, south, east, west",
    "terrain": "over the hills, along the river, through the wood, down the lane, across the field, up the stairs, past the mill, "
    "round the lake, between the houses, under the bridge, through the tall grass, along the wall, across the square, into the valley",
    "opinion": """wonderful, dreadful, too expensive, quite useful, rather dull, very brave, a great surprise, a bit strange, better than before,
    not worth the trouble, the best of the year, hard to believe, easy enough, a pity, good news""",
    "cause": """the rain did not stop, nobody had asked, it was already late, the train was delayed, a promise is a promise, the children were
    asleep, the road was closed, it was a holiday, there was no money left, the wind had changed, everyone was tired, the shop was shut,
    the river was too high, someone had left the gate open, the news came too late, the lamp went out""",
}
LISTS["far"] = "far away, in the distance, down in the valley, behind the trees, on the horizon, not far off, beyond the river"
LISTS["rough"] = "rain, snow, fog, wind, frost, hail, mist, thunder, drizzle, sleet, lightning, heavy rain, thick fog, icy wind"
