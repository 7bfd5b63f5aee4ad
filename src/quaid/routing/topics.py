"""Subjects that sections are often about, by the words that go with them."""

from __future__ import annotations

from quaid.formats.slugs import fold
from quaid.routing.words import all_words, words_of

# Heading of a new section: words by which its subject is known. The first that fits best is taken.
TOPICS: dict[str, str] = {
    "Notifications": """
        notification notifications notify ping pings alert alerts wake disturb interrupt message messages
        quiet silent mute ring reminder reminders call calls bother sunday night weekend
    """,
    "Communication": """
        answer answers reply replies respond response tone english german language spelling words short
        brief concise formal email emails mail text texts phone call calls chat write writing address name
        summary summaries translate emoji emojis bullet bullets markdown tldr
    """,
    "Calendar and meetings": """
        calendar meeting meetings schedule scheduling appointment appointments invite invites book booking
        standup friday fridays monday mondays afternoon morning slot slots agenda
    """,
    "Files and code": """
        file files delete commit commits committing push merge branch tests test code repository repo pull
        request requests deploy deploys docker backup backups script scripts ci lint dependency
        dependencies editor release releases production staging git
    """,
    "Money": """
        money spend spending pay buy purchase invoice invoices budget price prices cost costs bank account
        tax taxes salary rent insurance subscription
    """,
    "Food and drink": """
        food drink eat eats eating drinks coffee tea breakfast lunch dinner meal meals restaurant
        restaurants chocolate mushroom mushrooms vegetarian vegan meat fish cheese pizza spicy sugar
        dessert desserts egg eggs pasta rice potatoes soup wine beer milk bread coriander cilantro
        allergic allergy gluten lactose nut nuts peanut peanuts cook cooking recipe recipes cuisine snack
        snacks fruit vegetables
    """,
    "Travel": """
        travel train trains flight flights fly flying plane seat seats window aisle hotel hotels airport
        airline layover trip trips luggage ride rides drive driving taxi passport visa route airbnb
    """,
    "Tech stack": """
        tech stack frontend backend react vue angular typescript javascript python rust java go golang
        postgres postgresql mysql sqlite redis database api server servers framework library extension
        kubernetes docker cloud aws node sso auth endpoint queue kafka graphql rest terraform linux
        version monorepo microservice
    """,
    "House": """
        house home flat apartment boiler heating roof kitchen bathroom basement garage door key keys alarm
        wifi router attic window windows meter fuse plumbing radiator washing machine dishwasher fridge
        oven bin bins
    """,
    "Health": """
        health doctor blood medicine medication allergy dentist insulin injury sleep weight glasses
        prescription hospital vaccine vaccination pressure
    """,
    "Family": """
        mum mom mother dad father sister brother son daughter wife husband partner cousin aunt uncle
        grandma grandmother grandpa grandfather niece nephew family parents children kids
    """,
    "Work": """
        work office team boss manager colleague colleagues project projects client clients customer
        customers deploy deploys sprint standup build builds review reviews meeting meetings deadline jira
        release
    """,
    "Entertainment": """
        music film films movie movies series book books game games band song songs podcast podcasts genre
        concert theatre author novel novels
    """,
    "Garden": """
        garden tomato tomatoes plants plant seeds lawn compost hedge soil harvest greenhouse roses
    """,
}
_WORDS = {heading: frozenset(words.split()) for heading, words in TOPICS.items()}
# Which of them make sense for a file, in the order in which they are asked.
FOR_FILE: dict[str, tuple[str, ...]] = {
    "standing-orders": (
        "Notifications",
        "Calendar and meetings",
        "Files and code",
        "Money",
        "Communication",
        "Travel",
        "Food and drink",
    ),
    "preferences": (
        "Food and drink",
        "Travel",
        "Calendar and meetings",
        "Communication",
        "Files and code",
        "Entertainment",
        "House",
    ),
    "patterns": ("Work", "Food and drink", "Travel", "Family", "House", "Health"),
    "facts": (
        "Tech stack",
        "House",
        "Health",
        "Family",
        "Travel",
        "Money",
        "Garden",
        "Food and drink",
        "Work",
    ),
}


def topic_of(text: str, file: str) -> str | None:
    """The heading under which a text belongs in a file, if its words tell."""
    said = all_words(text)
    choices = FOR_FILE.get(file, ())
    scores = [(len(said & _WORDS[heading]), -place, heading) for place, heading in enumerate(choices)]
    best = max(scores, default=(0, 0, ""))
    return best[2] if best[0] else None


def is_about(heading: str, topic: str) -> bool:
    """Whether a section of that heading is about a topic."""
    words = words_of(heading)
    return fold(heading) == fold(topic) or bool(words & (_WORDS[topic] | words_of(topic)))
