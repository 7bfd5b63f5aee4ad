"""A notebook as a person and an agent keep one, with questions; and years of daily logs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

FILES: dict[str, str] = {
    "reference/contacts.md": """# Contacts

## Sarah Chen
- Phone: 555-0134
- Email: sarah.chen@example.org
- Runs the design team at Northwind; prefers mail over calls

## Dr. Adebayo Okafor
- Dentist, Lindenstrasse 12, second floor
- Appointments: 030 555 0188, not on Fridays

## Mum (Ingrid)
- Birthday: 3 May
- Lives in Uppsala, lactose intolerant

## Tomás Rivera
- Landlord. Lives downstairs, has the spare key
- Rent goes to his account on the first

## Plumber
- Kowalski & Sons, 030 555 0199, emergency line until 22:00
""",
    "reference/preferences.md": """# Preferences

## Morning routine
- Coffee before any meeting
- Nothing before half past nine if it can be helped

## Writing style
- Short sentences, British spelling, no exclamation marks
- Sign messages with "M."

## Travel
- Aisle seat, never the last row
- Trains rather than planes below six hours

## Food
- Vegetarian, no coriander
- Favourite restaurant: the Eritrean place on Yorckstrasse
""",
    "reference/standing-orders.md": """# Standing orders

## Notifications
- Do not ping before 9:00 or after 21:00
- Emergencies from Mum always come through

## Money
- Never pay an invoice above 200 euros without asking
- Subscriptions are cancelled, not paused

## Calendar
- Keep Wednesday afternoons free
- Two meetings in a row need ten minutes between them
""",
    "lists/shopping.md": """# Shopping

## Groceries
- [ ] oat milk
- [ ] eggs
- [x] rye bread
- [ ] red lentils

## Hardware shop
- [ ] M4 screws
- [ ] wood glue
- [ ] a new bulb for the hallway lamp
""",
    "lists/todos.md": """# To do

## Home
- [ ] Descale the kettle
- [ ] Call the landlord about the damp wall
- [ ] Book the chimney sweep

## Work
- [ ] Send the Q3 figures to Sarah
- [ ] Renew the signing certificate before it lapses in November
- [ ] Review Jonas' pull request about the cache
""",
    "lists/reading.md": """# Reading

## Next
- The Dispossessed, Ursula K. Le Guin
- A Pattern Language, Christopher Alexander

## Finished
- Piranesi, Susanna Clarke: loved it
- The Goal, Eliyahu Goldratt
""",
    "knowledge/facts.md": """# Facts

## Tech stack
- The frontend uses React 19, the API is FastAPI behind Caddy
- Deployments go through the staging cluster first

## The flat
- The fuse box is behind the coat rack
- Heating is turned on by the house on 1 October

## Bicycle
- 28 inch wheels, tyres 42-622, chain changed in March
- Bought second-hand from Henning in 2021

## Wifi
- The guest network is called Birch; the password hangs in the kitchen

## Insurance
- Household contents: policy HC-20931 with Havenstein, runs until 2028
""",
    "knowledge/patterns.md": """# Patterns

## Availability
- Usually free after three in the afternoon
- Deep work on Tuesdays and Thursdays before noon

## Mood and sleep
- Sleeps badly after late screens; a walk helps

## Decisions
- Says no at first to large changes, comes round after a day
""",
    "knowledge/garden.md": """# Garden

## Tomatoes
- San Marzano in the south bed, planted in the second week of May
- Blight in August last year: cut the lower leaves

## Compost
- No citrus, no cooked food; turn it every third week
""",
    "projects/atlas.md": """# Atlas

## Goal
- Move the map tiles off the old server before the contract ends in March

## Risks
- Nobody knows who owns the DNS zone
- The nightly export takes seven hours

## People
- Priya leads, Jonas does the cache, Sarah the design
""",
    "daily/2026-02-18.md": """# 2026-02-18

## 09:40 — Standup
Jonas is stuck on cache invalidation. Priya will pair with him in the afternoon.

## 13:15 — Dentist
Dr. Okafor filled the upper left molar. Next check in August.

## 19:30 — Evening
Repaired the rear light of the bike, the cable was loose.
""",
    "daily/2026-02-19.md": """# 2026-02-19

## 10:05 — Called Sarah about the project timeline
She wants the mock-ups a week earlier, by the 6th.

## 15:20 — Atlas DNS
Found out that the zone belongs to the old agency. Wrote to them, no answer yet.

## 21:10 — Film
Watched Paterson with Lena. Liked it a lot.
""",
    "daily/2026-02-20.md": """# 2026-02-20

## 08:55 — Slept badly
Four hours, because of the neighbours' party. No screens tonight.

## 11:30 — Deployment
Release 4.2 went out, rolled back after twenty minutes: memory grew without end.

## 17:45 — Landlord
Tomás looked at the damp wall. A painter comes on Monday.
""",
    "daily/2026-02-21.md": """# 2026-02-21

## 10:30 — Market
Bought leeks, a cheese from Allgäu and flowers for Ingrid.

## 14:00 — Leak found
The growth in release 4.2 came from the session cache, which never evicted. Fixed by Jonas.

## 20:00 — Dinner with Priya and Henning
Talked about moving to Lisbon for a year.
""",
    "daily/2026-02-22.md": """# 2026-02-22

## 09:00 — Long walk
Round the lake, two hours. Saw a kingfisher.

## 16:30 — Taxes
Sorted the receipts of last year. The donation receipt from the animal shelter is missing.
""",
}

# A question, and the sections that answer it: path and heading.
QUESTIONS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("sarah phone", (("reference/contacts.md", "Sarah Chen"),)),
    ("what is Sarah's email address?", (("reference/contacts.md", "Sarah Chen"),)),
    ("who is my dentist", (("reference/contacts.md", "Dr. Adebayo Okafor"),)),
    ("when is mum's birthday?", (("reference/contacts.md", "Mum (Ingrid)"),)),
    ("what can my mother not eat", (("reference/contacts.md", "Mum (Ingrid)"),)),
    ("who has a spare key to the flat?", (("reference/contacts.md", "Tomás Rivera"),)),
    ("a pipe has burst, whom do I call", (("reference/contacts.md", "Plumber"),)),
    ("coffee", (("reference/preferences.md", "Morning routine"),)),
    ("how should I write messages for her", (("reference/preferences.md", "Writing style"),)),
    ("which seat on a plane", (("reference/preferences.md", "Travel"),)),
    ("does she eat meat?", (("reference/preferences.md", "Food"),)),
    ("coriander", (("reference/preferences.md", "Food"),)),
    ("may I send notifications at night?", (("reference/standing-orders.md", "Notifications"),)),
    ("can I pay this 350 euro invoice", (("reference/standing-orders.md", "Money"),)),
    ("schedule something on Wednesday afternoon", (("reference/standing-orders.md", "Calendar"),)),
    ("what do we need from the grocery store", (("lists/shopping.md", "Groceries"),)),
    ("oat milk", (("lists/shopping.md", "Groceries"),)),
    ("light bulb", (("lists/shopping.md", "Hardware shop"),)),
    ("chimney sweep", (("lists/todos.md", "Home"),)),
    ("when does the certificate expire?", (("lists/todos.md", "Work"),)),
    ("what should I read next?", (("lists/reading.md", "Next"),)),
    ("did I like Piranesi", (("lists/reading.md", "Finished"),)),
    ("what is the backend written in", (("knowledge/facts.md", "Tech stack"),)),
    ("react version", (("knowledge/facts.md", "Tech stack"),)),
    ("where is the fuse box?", (("knowledge/facts.md", "The flat"),)),
    ("tyre size of my bike", (("knowledge/facts.md", "Bicycle"),)),
    ("guest wifi password", (("knowledge/facts.md", "Wifi"),)),
    ("policy number household insurance", (("knowledge/facts.md", "Insurance"),)),
    ("when am I usually available?", (("knowledge/patterns.md", "Availability"),)),
    ("what helps against bad sleep", (("knowledge/patterns.md", "Mood and sleep"),)),
    ("when did I plant the tomatoes", (("knowledge/garden.md", "Tomatoes"),)),
    ("what must not go on the compost heap?", (("knowledge/garden.md", "Compost"),)),
    ("who leads Atlas?", (("projects/atlas.md", "People"),)),
    ("atlas risks", (("projects/atlas.md", "Risks"),)),
    ("why are we moving the map tiles", (("projects/atlas.md", "Goal"),)),
    (
        "who owns the DNS zone?",
        (("projects/atlas.md", "Risks"), ("daily/2026-02-19.md", "15:20 — Atlas DNS")),
    ),
    (
        "why was release 4.2 rolled back",
        (("daily/2026-02-20.md", "11:30 — Deployment"), ("daily/2026-02-21.md", "14:00 — Leak found")),
    ),
    (
        "memory leak",
        (("daily/2026-02-21.md", "14:00 — Leak found"), ("daily/2026-02-20.md", "11:30 — Deployment")),
    ),
    ("what did the dentist do?", (("daily/2026-02-18.md", "13:15 — Dentist"),)),
    ("which film did we watch", (("daily/2026-02-19.md", "21:10 — Film"),)),
    ("did I see any birds lately", (("daily/2026-02-22.md", "09:00 — Long walk"),)),
    ("which receipt is missing for the tax return", (("daily/2026-02-22.md", "16:30 — Taxes"),)),
    ("when does the painter come", (("daily/2026-02-20.md", "17:45 — Landlord"),)),
    ("moving abroad", (("daily/2026-02-21.md", "20:00 — Dinner with Priya and Henning"),)),
    (
        "by when does Sarah need the mock-ups?",
        (("daily/2026-02-19.md", "10:05 — Called Sarah about the project timeline"),),
    ),
)

# Nothing in the notebook answers these.
WITHOUT_ANSWER: tuple[str, ...] = (
    "what is the capital of Mongolia",
    "passport number",
    "recipe for sourdough",
    "kubernetes ingress annotations",
    "which vaccine did the cat get",
    "opening hours of the swimming pool",
    "blood type",
    "how do I reset the thermostat of the car",
    "quarterly revenue of Siemens",
    "guitar chords for Hallelujah",
    "what did the lawyer say about the will",
    "tracking number of the parcel",
    "photosynthesis in mosses",
    "frequent flyer card",
    "sudoku strategies",
    "translate this paragraph into Portuguese",
    "my sister's wedding date",
    "football results",
    "ski rental in Davos",
    "fix the segmentation fault in parser.c",
    "size of the universe",
    "vim macro to sort lines",
    "yes, go on",
    "thanks!",
    "write a unit test for this function",
)

# Of somebody else, written when all constants were fixed.
OTHER_FILES: dict[str, str] = {
    "reference/people.md": """# People

## Kofi Mensah
- Trains the under-twelves with me on Thursdays; 0161 555 0142
- Allergic to bees

## Aunt Rosalind
- Plays bridge, hates lilies, her cat is called Pudding

## Dr. Lindqvist
- Physiotherapist for the knee, takes cash only

## Yuki and Amir
- Neighbours at number 14, look after the rabbit when we are away
""",
    "reference/house.md": """# House

## Boiler
- Vaillant, serviced every September; pressure should be 1.5 bar

## Alarm
- Arm it from the app; the siren rings for three minutes

## Bins
- Blue on Monday, green on alternate Wednesdays
""",
    "reference/standing-orders.md": """# Standing orders

## Booking
- Never book anything non-refundable
- Hotels must have a bath

## School
- Answer letters from school the same day
""",
    "knowledge/running.md": """# Running

## Shoes
- Wide fit, size 44; the last pair lasted 700 km

## Injuries
- The knee swells after hills; ice it, then rest two days

## Races
- Half marathon in Chester: 1:52, too fast at the start
""",
    "knowledge/cooking.md": """# Cooking

## Bread
- 70 % water, overnight in the fridge, 240 degrees for 35 minutes

## Jollof
- Toast the rice first; Kofi's mother adds nutmeg
""",
    "lists/presents.md": """# Presents

## Ideas
- Fountain pen for Dad
- Climbing voucher for Amir
""",
    "daily/2026-06-01.md": """# 2026-06-01

## 07:30 — Run
Nine kilometres along the canal, knee fine.

## 12:00 — Bank
The mortgage was extended for five years at 3.1 %.

## 18:20 — Match
Lost 2:3, Ella scored twice.
""",
    "daily/2026-06-02.md": """# 2026-06-02

## 09:15 — Car
The garage found a worn clutch; 640 pounds, ready on Friday.

## 20:45 — Parents' evening
Ella reads above her age, but talks too much in maths.
""",
}

OTHER_QUESTIONS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("kofi number", (("reference/people.md", "Kofi Mensah"),)),
    ("who is allergic to bee stings?", (("reference/people.md", "Kofi Mensah"),)),
    ("what flowers should I not bring my aunt", (("reference/people.md", "Aunt Rosalind"),)),
    ("name of Rosalind's cat", (("reference/people.md", "Aunt Rosalind"),)),
    ("physio for my knee", (("reference/people.md", "Dr. Lindqvist"),)),
    ("who feeds the rabbit during holidays", (("reference/people.md", "Yuki and Amir"),)),
    ("boiler pressure", (("reference/house.md", "Boiler"),)),
    ("when is the heating serviced?", (("reference/house.md", "Boiler"),)),
    ("how long does the siren ring", (("reference/house.md", "Alarm"),)),
    ("which bin goes out on Monday", (("reference/house.md", "Bins"),)),
    ("can I reserve a hotel without free cancellation", (("reference/standing-orders.md", "Booking"),)),
    ("letter from school", (("reference/standing-orders.md", "School"),)),
    ("shoe size", (("knowledge/running.md", "Shoes"),)),
    ("what to do when the knee is swollen", (("knowledge/running.md", "Injuries"),)),
    ("my half marathon time", (("knowledge/running.md", "Races"),)),
    ("how hot should the oven be for bread", (("knowledge/cooking.md", "Bread"),)),
    ("jollof rice recipe", (("knowledge/cooking.md", "Jollof"),)),
    ("birthday gift for dad", (("lists/presents.md", "Ideas"),)),
    ("interest rate of the mortgage", (("daily/2026-06-01.md", "12:00 — Bank"),)),
    ("how did the football game end", (("daily/2026-06-01.md", "18:20 — Match"),)),
    ("what is wrong with the car?", (("daily/2026-06-02.md", "09:15 — Car"),)),
    ("what did Ella's teachers say", (("daily/2026-06-02.md", "20:45 — Parents' evening"),)),
)

OTHER_WITHOUT_ANSWER: tuple[str, ...] = (
    "vaccination certificate of the dog",
    "explain the borrow checker",
    "flight number to Toronto",
    "chess opening against e4",
    "who won the election in Chile",
    "wifi password",
    "rename this variable",
    "tax number",
    "lyrics of Yesterday",
    "continue",
    "how tall is Mont Blanc",
    "dishwasher error E24",
)

_TOPICS = (
    "standup", "deployment", "review", "call", "gym", "market", "dentist", "planning", "incident", "reading",
    "garden", "budget", "interview", "release", "retrospective", "cooking", "travel", "repair", "writing",
)  # fmt: skip
_PEOPLE = (
    "Sarah", "Jonas", "Priya", "Tomás", "Ingrid", "Lena", "Henning", "Amara", "Yuki", "Olu", "Marta", "Sven",
)  # fmt: skip
_THINGS = (
    "cache", "invoice", "server", "report", "bicycle", "contract", "kitchen", "prototype", "survey", "kettle",
    "export", "migration", "ticket", "window", "painting", "schedule", "backup", "logo", "sensor", "roof",
    "certificate", "dashboard", "letter", "train", "query", "menu", "keyboard", "harbour", "engine", "garage",
)  # fmt: skip
_VERBS = ("fixed", "discussed", "postponed", "ordered", "cleaned", "wrote about", "measured", "lost", "found")


def write_notebook(root: Path) -> None:
    """The notebook of the questions, as files."""
    for path, text in FILES.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def write_logs(root: Path, last: date, days: int) -> int:
    """Daily logs up to a day, four entries each; the answer is how many characters."""
    (root / "daily").mkdir(parents=True, exist_ok=True)
    size = 0
    for day, text in daily_logs(last, days):
        (root / "daily" / f"{day}.md").write_text(text, encoding="utf-8")
        size += len(text)
    return size


def daily_logs(last: date, days: int) -> Iterator[tuple[str, str]]:
    """Days and their logs, the same each time."""
    chance = random.Random(7)
    for back in range(days):
        day = (last - timedelta(days=back)).isoformat()
        entries = []
        for hour in (9, 12, 16, 20):
            topic = chance.choice(_TOPICS)
            lines = [
                f"{chance.choice(_PEOPLE)} {chance.choice(_VERBS)} the {chance.choice(_THINGS)} "
                f"and the {chance.choice(_THINGS)}; next step is the {chance.choice(_THINGS)}."
                for _ in range(chance.randint(1, 3))
            ]
            entries.append(
                f"## {hour:02}:{chance.randrange(60):02} — {topic.capitalize()}\n" + "\n".join(lines)
            )
        yield day, f"# {day}\n\n" + "\n\n".join(entries) + "\n"
