"""Pages of somebody who invests in small companies, and what is asked of them.

Each question comes with the page that answers it, and with what must be shown: a fact or field as
`name: value`, or a piece of a line.
"""

from __future__ import annotations

from typing import NamedTuple


class Asked(NamedTuple):
    """A question, the page that answers it, what must be shown, and what must be marked as no longer true."""

    question: str
    slug: str
    shown: str
    superseded: str = ""


def _fact(predicate: str, value: str, since: str = "", until: str = "", before: str = "") -> str:
    lines = [f"  - subject: {{subject}}\n    predicate: {predicate}\n    object: {value}"]
    lines += [f"    valid_from: {since}"] if since else []
    lines += [f"    valid_until: {until}"] if until else []
    lines += [f"    supersedes: {before}"] if before else []
    return "\n".join(lines)


def _page(title: str, fields: str, body: str, facts: tuple[str, ...] = ()) -> str:
    stated = "assertions:\n" + "\n".join(facts).replace("{subject}", title) + "\n" if facts else ""
    return f"---\n{fields.strip()}\n{stated}---\n# {title}\n\n{body.strip()}\n"


PAGES: dict[str, str] = {
    "companies/tarn-robotics": _page(
        "Tarn Robotics",
        "type: company\nstage: Series A\nwebsite: https://tarn.example\nlocation: Porto\nfounded: 2021-03-01",
        """> Builds small robots that inspect sewers.

The team of 84 people sits in Porto and Vigo. Sales go through water utilities.

## Risks

- One customer, Águas do Norte, brings 60 % of the turnover
- The camera supplier raised its prices twice
- The patent on the joint runs out in 2031

## Numbers

| quarter | revenue | burn |
|---|---|---|
| Q1 2026 | 0.9m EUR | 310k EUR |
| Q2 2026 | 1.1m EUR | 290k EUR |
| Q3 2026 | 1.4m EUR | 275k EUR |

---

- **2026-02-11** | call — The board asked for a second source of cameras
- **2026-06-03** | meeting — Showed the robot that climbs steps""",
        (
            _fact("headcount", "84", "2025-01-01", "2026-04-01"),
            _fact("headcount", "91", "2026-04-01", before="84"),
            _fact("annual_revenue", "4.1m EUR", "2026-01-01"),
        ),
    ),
    "companies/lumen-grid": _page(
        "Lumen Grid",
        "type: company\nstage: Seed\nlocation: Tallinn\nceo: Kadri Tamm\nrunway_months: 9",
        """> Software with which towns switch their street lamps.

## Customers

- Tartu: 11,000 lamps
- Pärnu: 4,200 lamps, since May 2026
- Riga is in talks, decision in autumn

## Team

Kadri runs the company; Mihkel writes the firmware. They look for a head of sales.""",
        (_fact("ceo", "Kadri Tamm", "2023-05-01"),),
    ),
    "companies/ostrea": _page(
        "Ostrea",
        "type: company\nstage: Series B\nlocation: Arcachon\nvaluation: 62m EUR",
        """> Sensors for oyster farms.

The valuation of 48m EUR in the last round was thought high by some. Its sensors measure salt and heat.

## Open points

- [ ] Ask for the churn of small farms
- [ ] Get the lab report on the new membrane
- [x] Check the trademark in Spain""",
        (
            _fact("valuation", "48m EUR", "2024-06-01", "2026-05-20"),
            _fact("valuation", "62m EUR", "2026-05-20", before="48m EUR"),
        ),
    ),
    "companies/brackish": _page(
        "Brackish",
        "type: company\nstage: Pre-seed\nlocation: Ghent\nwebsite: https://brackish.example",
        """> Turns brine from desalination into salts that can be sold.

A pilot plant stands in Almería. One tonne of brine yields 31 kilograms of magnesium hydroxide.""",
    ),
    "companies/petrel": _page(
        "Petrel",
        "type: company\nstage: Series A\nlocation: Bristol\nstatus: written off\nboard_observer: Nora Field",
        """> Drones for fishing boats; stopped in March 2026.

## What went wrong

- The batteries froze below minus five
- Two of three founders left within a month
- The insurer asked for 9 % of the price of each drone""",
    ),
    "companies/quillwort": _page(
        "Quillwort",
        "type: company\nstage: Seed\nlocation: Lyon\nheadcount: 12\ncto: Baptiste Renard",
        """> Finds wording in tenders that suits one bidder only.

They charge ministries by the page. The first contract is with the region of Auvergne.""",
    ),
    "companies/sedge-health": _page(
        "Sedge Health",
        "type: company\nstage: Series A\nlocation: Dublin\nnext_review: 2026-12-01\nregistration: IE-663201",
        """> A patch that tells nurses when a bandage is wet.

## Trials

- St. Brigid: 40 patients, 18 % fewer changes
- Cork: stopped, the glue caused rashes
- Limerick: starts in January 2027""",
        (_fact("headcount", "37", "2026-02-01"),),
    ),
    "companies/harrow": _page(
        "Harrow Fields",
        "type: company\nstage: Seed\nlocation: Poznań\ncurrency: PLN",
        """> Leases harvesters by the hour.

The fleet has 23 machines. In winter they plough snow for the city.""",
        (
            _fact("ceo", "Zofia Lis", "2022-01-01", "2026-03-15"),
            _fact("ceo", "Adam Wrona", "2026-03-15", before="Zofia Lis"),
        ),
    ),
    "companies/moraine": _page(
        "Moraine",
        "type: company\nstage: Series C\nlocation: Innsbruck\nrunway_months: 26\nauditor: Egger & Partner",
        """> Predicts avalanches for railways.

Austria's railways renewed for five years. Switzerland tests on the Gotthard line.""",
    ),
    "companies/tallow": _page(
        "Tallow",
        "type: company\nstage: Seed\nlocation: Leeds\nburn_rate: 85k GBP\nexclusivity_until: 2026-10-31",
        """> Candles without paraffin, made from leftover fat.

- Shops: 140 in the north
- Margin: 52 % on the large jar
- Complaints: mostly about the lids""",
    ),
    "companies/skerry": _page(
        "Skerry Maps",
        "type: company\nstage: Seed\nlocation: Stavanger\nwebsite: https://skerry.example",
        """> Charts of shallow water from satellite pictures.

Jonas left in June 2026; Liv Aasen is alone on the data side now. The charts are wrong near glaciers.""",
    ),
    "companies/wicket": _page(
        "Wicket Pay",
        "type: company\nstage: Series A\nlocation: Vilnius\nlicence: EMI 72-2024\nstatus: active",
        """> Payments for village shops over text messages.

## Incidents

- 2026-01-19: payments were down for three hours, cause a full disk
- 2026-05-02: 212 payments were booked twice, all paid back
- 2026-08-14: a phishing site copied the login""",
    ),
    "people/jonas-weber": _page(
        "Jonas Weber",
        "type: person\nemail: jonas@weber-ventures.example\nphone: +49 30 5550 1187"
        "\nrole: angel investor\nbirthday: 3 May",
        """> Was at Skerry Maps until June 2026, now invests his own money.

## How he works

- Decides within two weeks
- Wants to see the product before any slide
- Never answers on Sundays""",
    ),
    "people/kadri-tamm": _page(
        "Kadri Tamm",
        "type: person\nemail: kadri@lumengrid.example\nrole: chief executive\ncompany: Lumen Grid",
        "> Engineer from Tartu.\n\nShe sailed across the Baltic alone. Prefers meetings on foot.",
    ),
    "people/nora-field": _page(
        "Nora Field",
        "type: person\nemail: nora.field@example.org\nphone: +44 117 555 0142\nassistant: Dilip Rao",
        "> Partner at Field & Moor.\n\nReads every contract herself. Her assistant keeps the calendar.",
    ),
    "people/adam-wrona": _page(
        "Adam Wrona",
        "type: person\nrole: chief executive\ncompany: Harrow Fields\nlanguages: Polish, German",
        "> Came from a rental firm for cranes.\n\nHe wants to double the fleet by spring.",
    ),
    "people/liv-aasen": _page(
        "Liv Aasen",
        "type: person\nemail: liv@skerry.example\nrole: head of data\ncompany: Skerry Maps",
        "> Hydrographer.\n\nSpent six winters on Svalbard. Speaks at the chart conference each May.",
    ),
    "people/baptiste-renard": _page(
        "Baptiste Renard",
        "type: person\nrole: technical lead\ncompany: Quillwort\nnotice_period: 3 months",
        "> Wrote the parser for tenders.\n\nHe thinks of leaving for a doctorate.",
    ),
    "people/ruth-okoye": _page(
        "Ruth Okoye",
        "type: person\nemail: ruth.okoye@example.com\nphone: 020 7946 0991\nrole: lawyer"
        "\nhourly_rate: 340 GBP",
        "> Looks over our term sheets.\n\n- Answers within a day\n- On leave from 20 December to 8 January",
    ),
    "people/dilip-rao": _page(
        "Dilip Rao",
        "type: person\nemail: dilip@fieldmoor.example\nrole: assistant of Nora Field",
        "> Arranges Nora's days.\n\nBest reached before ten.",
    ),
    "people/mihkel-saar": _page(
        "Mihkel Saar",
        "type: person\nrole: firmware engineer\ncompany: Lumen Grid",
        "> Writes the firmware of the lamps.\n\nHis contract has no clause about inventions yet.",
    ),
    "people/zofia-lis": _page(
        "Zofia Lis",
        "type: person\nrole: founder\nlocation: Gdynia",
        "> Founded Harrow Fields, left its helm in March 2026.\n\nShe keeps 22 % of the shares.",
    ),
    "people/henrik-bo": _page(
        "Henrik Bo",
        "type: person\nemail: hb@bo-kapital.example\nrole: limited partner\ncommitment: 2m EUR",
        "> Limited partner since the first fund.\n\nAsks for a report each quarter, on paper.",
    ),
    "people/ana-prado": _page(
        "Ana Prado",
        "type: person\nrole: chief executive\ncompany: Tarn Robotics\nnationality: Portuguese",
        "> Founder of Tarn Robotics.\n\nWas a diver for the navy before.",
    ),
    "deals/tarn-b": _page(
        "Tarn Robotics Series B",
        "type: deal\nstage: term sheet\nexpected_close: 2027-02-15\namount: 14m EUR"
        "\nlead_investor: Moor Capital\nour_ticket: 600k EUR",
        """> The next round of Tarn Robotics.

## Terms

- Liquidation preference: 1x, non-participating
- Option pool: 12 % after the round
- Board: two founders, one investor, one independent""",
    ),
    "deals/lumen-bridge": _page(
        "Lumen Grid bridge",
        "type: deal\nstage: signed\nexpected_close: 2026-11-30\namount: 900k EUR"
        "\ninterest: 8 %\ninstrument: convertible note",
        "> Money until the seed extension.\n\nThe cap is 11m EUR, the discount 20 %.",
    ),
    "deals/ostrea-b": _page(
        "Ostrea Series B",
        "type: deal\nstage: closed\nclosed_on: 2026-05-20\namount: 9m EUR"
        "\nlead_investor: Atlantique Ventures",
        "> Closed in May 2026.\n\nWe kept our share by putting in 350k EUR.",
    ),
    "deals/brackish-pre": _page(
        "Brackish pre-seed",
        "type: deal\nstage: diligence\nexpected_close: 2027-01-20\namount: 700k EUR",
        "> We look at the pilot in Almería first.\n\n- [ ] Visit the plant"
        "\n- [ ] Call the buyer of magnesium hydroxide",
    ),
    "deals/quillwort-seed": _page(
        "Quillwort seed",
        "type: deal\nstage: passed\nreason: too few buyers",
        "> We said no in July 2026.\n\nThe price was fair; the market is thirty ministries.",
    ),
    "deals/sedge-a": _page(
        "Sedge Health Series A",
        "type: deal\nstage: closed\nclosed_on: 2025-11-04\namount: 6m EUR\nlead_investor: Shannon Fund",
        "> Closed after the trial at St. Brigid.\n\nWe have information rights and no seat.",
    ),
    "meetings/2026-06-03-tarn": _page(
        "Tarn board, June 2026",
        "type: meeting\ndate: 2026-06-03\nattendees: [Ana Prado, Nora Field]",
        "- The second camera supplier is chosen: Optika Brno"
        "\n- Vigo gets its own workshop in October\n- Ana wants a finance chief by spring",
    ),
    "meetings/2026-09-10-lp": _page(
        "Partners' meeting, September 2026",
        "type: meeting\ndate: 2026-09-10\nattendees: [Henrik Bo]",
        "- The fee goes down to 1.8 % from 2027\n- Henrik asks us to stay away from drones"
        "\n- The next meeting is in Aarhus on 11 March",
    ),
    "meetings/2026-10-01-wicket": _page(
        "Wicket Pay review",
        "type: meeting\ndate: 2026-10-01",
        "- Fraud fell to 0.08 %\n- The regulator visits on 17 November\n- They want to open in Suwałki next",
    ),
    "concepts/reserves": _page(
        "Reserves",
        "type: concept",
        "> How much we keep for later rounds.\n\n- One euro kept for each euro invested"
        "\n- Never more than 15 % of the fund in one company",
    ),
    "concepts/pass-letter": _page(
        "How we say no",
        "type: concept",
        "> Within ten days, with one reason, by telephone first.\n\nWe never say that we might come back.",
    ),
    "concepts/fund-two": _page(
        "Fund II",
        "type: concept\nsize: 38m EUR\nvintage: 2023\nmanagement_fee: 2 %"
        "\nbank: Sparkasse Kiel\niban: DE02 1203 0000 0000 2020 51",
        "> Our second fund.\n\nInvests until the end of 2027.",
        (
            _fact("management_fee", "2 %", "2023-01-01", "2027-01-01"),
            _fact("management_fee", "1.8 %", "2027-01-01", before="2 %"),
        ),
    ),
}

QUESTIONS: tuple[Asked, ...] = (
    Asked("how many people work at Tarn Robotics?", "companies/tarn-robotics", "headcount: 91", "84"),
    Asked("what is the headcount of Tarn Robotics?", "companies/tarn-robotics", "headcount: 91", "84"),
    Asked("what is Tarn's revenue in a year?", "companies/tarn-robotics", "annual_revenue: 4.1m EUR"),
    Asked("how much did Tarn burn in Q2 2026?", "companies/tarn-robotics", "290k EUR"),
    Asked("which customer does Tarn depend on?", "companies/tarn-robotics", "Águas do Norte"),
    Asked("when does Tarn's patent expire?", "companies/tarn-robotics", "runs out in 2031"),
    Asked("what happened at Tarn in February 2026?", "companies/tarn-robotics", "second source of cameras"),
    Asked("who runs Lumen Grid?", "companies/lumen-grid", "ceo: Kadri Tamm"),
    Asked("how long will Lumen Grid's money last?", "companies/lumen-grid", "runway_months: 9"),
    Asked("how many lamps does Lumen have in Pärnu?", "companies/lumen-grid", "4,200 lamps"),
    Asked("what is Ostrea worth?", "companies/ostrea", "valuation: 62m EUR", "48m EUR"),
    Asked("what did we want to get from Ostrea's lab?", "companies/ostrea", "lab report on the new membrane"),
    Asked("who is the chief executive of Harrow Fields?", "companies/harrow", "ceo: Adam Wrona"),
    Asked("why did Petrel fail?", "companies/petrel", "founders left"),
    Asked("who observed the board of Petrel?", "companies/petrel", "board_observer: Nora Field"),
    Asked("when do we review Sedge Health again?", "companies/sedge-health", "next_review: 2026-12-01"),
    Asked("registration number of Sedge Health", "companies/sedge-health", "registration: IE-663201"),
    Asked("why was the trial in Cork stopped?", "companies/sedge-health", "glue caused rashes"),
    Asked("how many employees has Sedge?", "companies/sedge-health", "headcount: 37"),
    Asked("how many people are at Quillwort?", "companies/quillwort", "headcount: 12"),
    Asked("who audits Moraine?", "companies/moraine", "auditor: Egger & Partner"),
    Asked("until when are we exclusive with Tallow?", "companies/tallow", "exclusivity_until: 2026-10-31"),
    Asked("what is Tallow's margin?", "companies/tallow", "52 % on the large jar"),
    Asked("what licence does Wicket Pay have?", "companies/wicket", "licence: EMI 72-2024"),
    Asked("when were payments booked twice at Wicket?", "companies/wicket", "212 payments were booked twice"),
    Asked("jonas@weber-ventures.example", "people/jonas-weber", "email: jonas@weber-ventures.example"),
    Asked("what is Jonas Weber's phone number?", "people/jonas-weber", "phone: +49 30 5550 1187"),
    Asked("when is Jonas Weber's birthday?", "people/jonas-weber", "birthday: 3 May"),
    Asked("how fast does Jonas decide?", "people/jonas-weber", "within two weeks"),
    Asked("who keeps Nora Field's calendar?", "people/nora-field", "assistant: Dilip Rao"),
    Asked("what does our lawyer charge per hour?", "people/ruth-okoye", "hourly_rate: 340 GBP"),
    Asked("when is Ruth Okoye away?", "people/ruth-okoye", "20 December to 8 January"),
    Asked("020 7946 0991", "people/ruth-okoye", "phone: 020 7946 0991"),
    Asked("how much has Henrik Bo committed?", "people/henrik-bo", "commitment: 2m EUR"),
    Asked("how long is Baptiste Renard's notice?", "people/baptiste-renard", "notice_period: 3 months"),
    Asked("when is the Tarn round expected to close?", "deals/tarn-b", "expected_close: 2027-02-15"),
    Asked("who leads Tarn's Series B?", "deals/tarn-b", "lead_investor: Moor Capital"),
    Asked("how large is our ticket in the Tarn round?", "deals/tarn-b", "our_ticket: 600k EUR"),
    Asked("what liquidation preference does Tarn B have?", "deals/tarn-b", "1x, non-participating"),
    Asked("what interest does the Lumen bridge bear?", "deals/lumen-bridge", "interest: 8 %"),
    Asked(
        "which instrument is used for the Lumen Grid bridge?",
        "deals/lumen-bridge",
        "instrument: convertible note",
    ),
    Asked("why did we pass on Quillwort?", "deals/quillwort-seed", "reason: too few buyers"),
    Asked("when did the Sedge Series A close?", "deals/sedge-a", "closed_on: 2025-11-04"),
    Asked("which camera supplier did Tarn choose?", "meetings/2026-06-03-tarn", "Optika Brno"),
    Asked("where is the next partners' meeting?", "meetings/2026-09-10-lp", "Aarhus on 11 March"),
    Asked("when does the regulator come to Wicket?", "meetings/2026-10-01-wicket", "17 November"),
    Asked("how much of the fund may go into one company?", "concepts/reserves", "15 % of the fund"),
    Asked("what is the IBAN of Fund II?", "concepts/fund-two", "iban: DE02 1203 0000 0000 2020 51"),
    Asked("what management fee does Fund II take?", "concepts/fund-two", "management_fee: 2 %"),
)
