"""Cities and countries that everybody knows, folded: enough to tell `moved to Oslo` from `moved to
Postgres`."""

from __future__ import annotations

from quaid.formats.slugs import fold

_COUNTRIES = """
afghanistan albania algeria argentina armenia australia austria azerbaijan bahrain bangladesh bavaria belarus
belgium bolivia bosnia botswana brazil bulgaria california cambodia cameroon canada chile china colombia
croatia cuba cyprus czechia denmark deutschland ecuador egypt england estonia ethiopia europe finland france
frankreich georgia germany ghana greece guatemala hungary iceland india indonesia iran iraq ireland israel
italien italy jamaica japan jordan kazakhstan kenya kosovo kuwait laos latvia lebanon libya liechtenstein
lithuania luxembourg madagascar malaysia malta mexico moldova monaco mongolia montenegro morocco mozambique
myanmar namibia nepal netherlands nicaragua nigeria norway oman pakistan panama paraguay peru philippines
poland portugal qatar romania russia rwanda schweiz scotland senegal serbia singapore slovakia slovenia
somalia spain spanien sudan sweden switzerland syria taiwan tanzania texas thailand tunisia turkey uganda uk
ukraine uruguay us usa uzbekistan venezuela vietnam wales yemen zambia zimbabwe österreich
"""
_LONG_COUNTRIES = """
united kingdom
united states
new zealand
south africa
south korea
north korea
saudi arabia
sri lanka
costa rica
puerto rico
czech republic
the netherlands
northern ireland
united arab emirates
hong kong
"""
_CITIES = """
aachen aarhus aberdeen accra adelaide amsterdam ankara antwerp athens atlanta auckland augsburg austin
bangalore bangkok barcelona basel beijing beirut belfast belgrade bengaluru bergen berlin bern bilbao
birmingham bochum bologna bonn bordeaux boston bratislava braunschweig bremen brighton brisbane bristol brno
bruges brussels bucharest budapest cairo calgary cambridge cardiff casablanca chemnitz chennai chicago coimbra
cologne copenhagen cork dallas darmstadt delhi denver detroit dortmund dresden dubai dublin duisburg dundee
düsseldorf edinburgh eindhoven erfurt erlangen essen florence frankfurt freiburg galway gdansk geneva genoa
ghent glasgow gothenburg graz göttingen hamburg hannover hanoi hanover heidelberg helsinki houston innsbruck
istanbul jakarta jena jerusalem johannesburg karlsruhe kassel kiel kiev krakow kyiv kyoto köln lagos lausanne
leeds leicester leiden leipzig lille limerick linz lisbon liverpool ljubljana lodz london lucerne lugano lund
lviv lyon lübeck madrid magdeburg mainz malaga malmö manchester mannheim marburg marseille melbourne miami
milan minneapolis montpellier montreal moscow mumbai munich münchen münster nairobi nantes naples newcastle
nice nottingham nuremberg nürnberg oakland odense osaka oslo ottawa oxford padua palermo paris perth
philadelphia phoenix pisa pittsburgh plymouth portland porto potsdam poznan prague pune regensburg reykjavik
riga rome rostock rotterdam saarbrücken sacramento salamanca salzburg santiago sarajevo seattle seoul seville
shanghai sheffield shenzhen sofia southampton stavanger stockholm strasbourg stuttgart sydney taipei tallinn
tampere tbilisi tokyo toronto toulouse trier trieste trondheim turin turku tübingen ulm uppsala utrecht
valencia vancouver venice verona vienna vilnius warsaw washington wellington wien winterthur wolfsburg wroclaw
wuppertal würzburg yerevan york zagreb zaragoza zurich zürich
"""
_LONG_CITIES = """
new york
new york city
san francisco
los angeles
san diego
san jose
las vegas
palo alto
mountain view
tel aviv
cape town
buenos aires
mexico city
rio de janeiro
são paulo
sao paulo
kuala lumpur
the hague
den haag
ho chi minh city
new delhi
abu dhabi
hong kong
st gallen
frankfurt am main
salt lake city
santa monica
porto alegre
menlo park
"""
COUNTRIES = frozenset(map(fold, (*_COUNTRIES.split(), *_LONG_COUNTRIES.strip().splitlines())))
CITIES = frozenset(map(fold, (*_CITIES.split(), *_LONG_CITIES.strip().splitlines())))
