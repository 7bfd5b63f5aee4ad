"""Words that notes are made of: what says nothing, what turns a statement round, what excludes what."""

from __future__ import annotations


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _groups(lines: str) -> dict[str, str]:
    """Each word of a line, with the first of its line."""
    rows = [line.split() for line in lines.strip().splitlines()]
    return {word: row[0] for row in rows for word in row}


EMPTY = _set(
    """a an and any are as at be been being both but by can could did do does each else every for from had
    has have he her here him his how i if in into is it its itself just let's may me might my of on onto
    or other our ourselves out own per shall she should so such than that the their them then there
    these they thing things this those through to too until up upon us via was we were what when where
    which while who whom whose why will with within would you your yourself also am"""
)
# What notes do and how they say it: two notes about one thing may differ in these.
COMMON = _set(
    """able about above accept across actually add after again against ago all allow almost already always
    amount anew anybody anyone anything apply around ask available away back based become before begin
    being belong below best better between bring call care carry case certain character charge choose
    close come common complete consist contact content convention correct cover currently cut data
    default demand depend different done due duration during easy effect effective end enough ensure
    especially everybody everyone everything everywhere exist expect expected expire fact fail feed few
    file find fine first follow full general generally get give go good habit hand happen happy have
    help hold idea important include inside instead involve itself job just keep kind know last least
    leave length less let lie like likely limit listen little live long look lot main mainly make many
    matter mean mind more most mostly much must near necessary need new next normal normally now obtain
    occur often ok old once only open ourselves over part particular people per perform period permit
    person place please point policy possible practice prefer probably process produce proper provide
    publish purpose put question quickly quite rather reach read ready real really receive recommend
    refer regularly relate rely remain remember require respect right rule run safe same say see seem
    select send separate serve service set setup several show simple simply since sixty size somebody
    someone something soon sort special specific standard start stay step stick still suit supposed sure
    system take talk tell themselves think throw time today together tool total touch towards true try
    turn typical typically under use user usual usually valid version via want way well went whatever
    whenever whether whichever whole without work write written wrong yet"""
)
# Spellings of one thing. The first of a line stands for all; a note may use any.
SPELLINGS = _groups(
    """
    pull-request pr prs mr pull
    documentation doc docs readme
    repository repo repos
    database db dbs
    configuration config configs conf cfg
    production prod
    development dev
    environment env envs
    kubernetes k8s
    authentication auth login
    application app apps
    directory folder folders dir dirs
    postgres postgresql pg psql
    javascript js
    typescript ts
    golang go-lang
    message msg msgs
    mac macos osx darwin
    deploy deployment deployments release releases released releasing ship shipped rollout
    delete remove wipe erase discard purge deleted removed wiped purged
    holiday vacation holidays vacations
    phone telephone mobile-phone
    send sent sends sending
    plan tier
    mail email e-mail emails mails
    address addresses
    meeting meetings call-in
    lead led leader leads leading
    keep kept store stored save saved
    buy bought
    teach taught
    break broke broken
    written write wrote writes
    build built builds building
    choose chose chosen
    test tests testing tested
    code codebase
    suite suites
    developer developers engineer engineers
    customer customers client's
    machine computer laptop
    car automobile
    film movie films movies
    owner owns owned owning charge
    short brief briefly concise terse
    long detailed verbose lengthy
    throw thrown threw
    rebuild rebuilt
    host hosts hosted hosting
    retry retries retried restart restarts restarted
    medicine medication pill pills
    rubbish garbage trash bin bins waste
    request requests call calls
    responsible responsibility
    collect collection collected
    approve approval approvals approved
    review reviews reviewed reviewing
    pay paid payment payments
    shop store-front
    wifi wlan wi-fi
    allergic allergy allergies
    prefer preference prefers preferred preferably
    """
)
NEGATIVE = _set(
    """no not never none neither nor cannot can't cant don't dont doesn't doesnt didn't didnt isn't isnt
    aren't arent wasn't won't wont shouldn't shouldnt mustn't mustnt needn't haven't hasn't nobody
    nothing nowhere without"""
)
OPPOSITES = tuple(
    frozenset(pair.split("/"))
    for pair in """tabs/spaces true/false first/last increase/decrease public/private sync/async
    merge/rebase dark/light single/double manual/automatic manually/automatically
    hand/automatically include/exclude minimum/maximum least/most upper/lower open/closed
    inside/outside synchronous/asynchronous plural/singular odd/even left/right hot/cold
    sweet/savoury vegetarian/carnivore early/late short/long big/small large/small
    fast/slow cheap/expensive warm/cold silent/loud written/oral paper/digital
    remote/onsite online/offline parallel/sequential strict/lenient mutable/immutable
    ascending/descending before/after window/aisle person/video morning/evening
    mornings/evenings morning/afternoon mornings/afternoons employee/contractor
    internal/external encrypted/unencrypted signed/unsigned push/pull bottom/top
    winter/summer own/shares everyone/nobody everybody/nobody all/none commit/ignore
    both/neither weekday/weekend weekdays/weekends open/close opens/closes import/export
    upload/download""".split()  # noqa: SIM905
)
# Of each line, people mostly use one for one purpose.
ALTERNATIVES = _groups(
    """
    black ruff yapf autopep8
    flake8 pylint pyflakes
    eslint biome tslint
    prettier standardjs
    npm yarn pnpm bun
    pip poetry uv pipenv conda
    mypy pyright pyre
    pytest unittest nose
    jest vitest mocha jasmine
    postgres mysql mariadb sqlite oracle mongodb cassandra dynamodb mssql
    redis memcached valkey
    rabbitmq kafka nats sqs
    sentry rollbar bugsnag glitchtip
    yaml toml json ini xml
    aws gcp azure hetzner ovh digitalocean
    github gitlab bitbucket gitea codeberg forgejo
    jenkins circleci travis buildkite
    docker podman buildah
    vim emacs vscode neovim pycharm intellij
    bash zsh fish powershell
    slack teams discord mattermost zulip mail sms pagerduty
    english german french spanish italian portuguese dutch polish russian japanese chinese
    python ruby perl php javascript typescript golang rust java kotlin scala swift elixir haskell
    react vue angular svelte
    django flask fastapi
    terraform pulumi cloudformation opentofu
    ansible puppet chef
    nginx apache caddy traefik haproxy
    ubuntu debian fedora arch nixos alpine
    linux windows mac
    csv parquet avro
    rest graphql grpc
    tea coffee
    vegetarian vegan
    kilometres miles
    celsius fahrenheit
    metric imperial
    utc cet est pst
    lf crlf
    jwt cookies
    argon2 bcrypt scrypt
    jira linear trello asana
    notion confluence obsidian
    zoom webex skype
    visa mastercard amex
    bus train plane
    """
)
# What is done: of two notes about one thing, each may say it with another of these.
VERBS = _set(
    """accept access achieve act activate adapt adopt advise agree aim analyse announce answer appear
    append apply approve archive arrange arrive assign assume attach attend avoid await bake beat block
    boot borrow bounce break build burn buy bundle calculate calibrate cancel cap capture catch change
    chase clean clear click clone collect combine communicate compare compile compress compute configure
    confirm connect consider consult contain continue convert cook copy correct crash create cut debug
    decide declare decline define delegate delete deliver deny depend deploy describe destroy detect
    determine develop die disappear discuss distribute download draw drink drive drop duplicate earn eat
    edit emit empty encode encrypt enforce enter equal escalate establish estimate evaluate exceed
    execute expand expire explain expose express extend extract fall fetch fill filter finish fit fix
    flush fly force forward freeze gather generate govern grant grow guarantee handle hash hate hide
    hire hit host hurt identify ignore implement improve inform inherit inject insert inspect install
    introduce invalidate invite invoke involve join jump kill launch lead learn lend lose lower maintain
    manage mask match measure mention migrate mirror miss mock monitor mount move notify observe offer
    omit operate organise own pack parse pass pause pay permit persist pick pin ping poll prepare
    preserve prevent print promise promote propose protect prove prune pull purge push quote raise
    reboot rebuild recover reduce refactor refer refresh register reject relate reload rely remind
    remove rename render renew rent repair repeat replace replicate reply report represent reproduce
    rerun reset resolve restart restore restrict retain retire retry return reuse revert review rewrite
    roll rotate save scan schedule scrape sell share ship shorten shut sign sit skip sleep slow solve
    spawn speak spend split squash stand stop store stream stretch strip submit subscribe succeed
    suggest supply support suppose suspend swap switch sync teach terminate throttle throw tolerate
    track transfer translate travel treat trigger trim trust tune undo unlock update upgrade upload
    validate verify vote wait wake warm warn wash win wipe withdraw wrap"""
)
