"""Keys and tokens that are known by their form: which service gives them out, and what they look like."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from functools import cache

from quaid.formats.secrets.values import FILLER, is_random
from quaid.formats.secrets.words import Secret

# The name of each rule, the literals of which one must occur, and the form. A form that does not begin with a
# look behind stands after no letter, figure or dash.
_TABLE = r"""
aws-access-key AKIA,ASIA,ABIA,ACCA A[A-Z]{3}[A-Z0-9]{16}(?![A-Za-z0-9])
aws-bedrock-key ABSK,bedrock-api-key- (?:ABSK|bedrock-api-key-)[A-Za-z0-9+/]{42,}+={0,2}
alibaba-key LTAI LTAI[A-Za-z0-9]{12,26}(?![\w-])
gcp-api-key AIza AIza[\w-]{33,39}(?![\w-])
google-oauth GOCSPX-,ya29.,1//0 (?:GOCSPX-[\w-]{19,}|ya29\.[\w-]{20}|1//0[\w-]{28,})[\w-]*+
azure-storage-key AccountKey=,SharedAccessKey= (?:Account|SharedAccess)Key=[A-Za-z0-9+/]{30,}={1,2}
azure-client-secret Q~ [\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])
azure-sas sig= sig=(?:[A-Za-z0-9+/_-]|%2[BbFf]){40,60}+(?:%3[Dd]|=)?
github-token ghp_,gho_,ghu_,ghr_ gh[pour]_[A-Za-z0-9]{25,}
github-token ghs_ ghs_[\w.-]{25,}
github-token github_pat_ github_pat_\w{28,}
gitlab-token glpat-,glptt-,gldt-,glrt-,glrtr-,glsoat-,glcbt-,gloas-,glagent- gl[a-z]{2,5}-[\w.-]{20,}
gitlab-token glft-,glimt-,glffct-,glwt- gl[a-z]{2,5}-[\w.-]{20,}
gitlab-token GR1348941 GR1348941[\w-]{20,}
bitbucket-token ATBB,ATCTT3 AT(?:BB|CTT3)[\w=-]{24,}
atlassian-token ATATT3 ATATT3[\w-]{35,}
slack-token xoxb-,xoxp-,xoxa-,xoxe-,xoxs-,xoxr-,xoxc-,xoxo-,xoxd-,xapp- x(?:ox[a-s]|app)-[A-Za-z0-9.%-]{15,}
slack-token xoxe. xoxe\.xox[a-s]-[A-Za-z0-9-]{15,}
slack-webhook hooks.slack.com/ hooks\.slack\.com/[a-z]+/[A-Za-z0-9_/]{20,}
teams-webhook .webhook.office.com/ (?<=\.)webhook\.office\.com/webhookb2/[\w@/-]{28,}
discord-webhook discord.com/api/,discordapp.com/api/ discord(?:app)?\.com/api/webhooks/\d{10,20}/[\w-]{28,}
zapier-webhook hooks.zapier.com/ hooks\.zapier\.com/hooks/catch/\d{4,10}/\w{5,12}
make-webhook .make.com/ (?<=\.)make\.com/[A-Za-z0-9]{19,}(?![\w-])
google-chat-webhook chat.googleapis.com/ chat\.googleapis\.com/v1/spaces/[\w-]{4,20}/messages\?key=[\w-]{20,80}&token=[\w%-]{20,}
twitch-token oauth: oauth:[a-z0-9]{30}(?![\w-])
salesforce-session !AQ,!AR (?<![\w])00D[A-Za-z0-9]{12,15}![\w.]{60,120}
google-key AQ.Ab8 AQ\.Ab8[\w-]{28,}
facebook-token | (?<!\d)\d{15,16}\|[\w-]{26,28}(?![\w-])
infura-key .infura.io/v3/ (?<=\.)infura\.io/v3/[a-f0-9]{32}
alchemy-key .alchemy.com/v2/ (?<=\.)alchemy\.com/v2/[\w-]{32}
azure-function-key .azurewebsites.net/ (?<=\.)azurewebsites\.net/[\w/.-]{1,100}\?(?:[\w=-]{1,40}&)?code=[\w%/+-]{40,}=*
intercom-token dG9rO dG9rO[A-Za-z0-9+/]{28,}={0,2}
wallet-key xprv,yprv,zprv,tprv [xyzt]prv[A-Za-z0-9]{70,}
quaid-key quaid-key-1: quaid-key-1:[0-9a-f]{8}:[\w-]{80,}={0,2}
nostr-key nsec1 nsec1[A-Za-z0-9]{40,}
docker-config eyJhdXRocyI6 eyJhdXRocyI6[A-Za-z0-9+/]{20,}+={0,2}
paseto-token v2.local.,v3.local.,v4.local.,v2.public.,v4.public. v\d\.(?:local|public)\.[\w-]{40,}
telegram-token :A (?<!\d)\d{8,10}:A[\w-]{32,36}(?![\w-])
stripe-key sk_live_,rk_live_,sk_test_,rk_test_ [sr]k_(?:live|test)_[A-Za-z0-9]{16,}
stripe-key whsec_ whsec_[A-Za-z0-9+/=]{24,}
square-token sq0atp-,sq0csp- sq0(?:atp|csp)-[\w-]{22,}
square-token EAAA EAAA[\w-]{39,}(?![\w-])
paypal-token access_token$ access_token\$(?:production|sandbox)\$[A-Za-z0-9]{12,20}\$[A-Za-z0-9]{22,}
plaid-token access-production-,access-sandbox-,access-development- access-[a-z]{7,11}-[0-9a-f]{8}-[0-9a-f-]{27}
razorpay-key rzp_live_,rzp_test_ rzp_(?:live|test)_[A-Za-z0-9]{14,}
flutterwave-key FLWSECK- FLWSECK-[a-zA-Z0-9]{22,}-X
flutterwave-key FLWSECK_TEST- FLWSECK_TEST-[a-zA-Z0-9]{12,32}
mollie-key live_ live_[A-Za-z0-9]{30,35}(?![\w-])
gocardless-token live_ live_[A-Za-z0-9_-]{40,42}(?![\w-])
easypost-key EZAK,EZTK EZ[AT]K[A-Za-z0-9]{37,}
shippo-token shippo_live_,shippo_test_ shippo_(?:live|test)_[A-Za-z0-9]{28,}
duffel-token duffel_live_,duffel_test_ duffel_(?:live|test)_[\w=-]{30,}
coinbase-key cb_live_ cb_live_[\w-]{20,}
anthropic-key sk-ant- sk-ant-[\w-]{20,}
openai-key sk- sk-(?:(?:proj|svcacct|admin|None|or-v1|lf)-[\w-]{20}[\w-]*+|[A-Za-z0-9]{32,})
perplexity-key pplx- pplx-[A-Za-z0-9]{28,}
groq-key gsk_ gsk_[A-Za-z0-9]{28,}
xai-key xai- xai-[A-Za-z0-9]{28,}
replicate-token r8_ r8_[A-Za-z0-9]{25,}
huggingface-token hf_,api_org_ (?:hf|api_org)_[A-Za-z0-9]{21,}
langsmith-key lsv2_pt_,lsv2_sk_ lsv2_(?:pt|sk)_[A-Za-z0-9]{22,}_[A-Za-z0-9]{10}
tavily-key tvly- tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,}
firecrawl-key fc- fc-[a-f0-9]{32}(?![\w-])
nvidia-key nvapi- nvapi-[\w-]{35,}
fireworks-key fw_ fw_[A-Za-z0-9]{22,24}(?![\w-])
pinecone-key pcsk_ pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{28,}
elevenlabs-key sk_ sk_[a-f0-9]{48}(?![\w-])
weights-and-biases-key wandb_v1_ wandb_v1_\w{28,}
npm-token npm_ npm_[A-Za-z0-9]{25,}
pypi-token pypi-Ag pypi-Ag[\w-]{40,}
rubygems-key rubygems_ rubygems_[A-Za-z0-9]{33,}
clojars-token CLOJARS_ CLOJARS_[A-Za-z0-9]{42,}
crates-token cio cio[A-Za-z0-9]{32}(?![\w-])
nuget-key oy2 oy2[a-z0-9]{43}(?![\w-])
docker-token dckr_pat_,dckr_oat_ dckr_[op]at_[\w-]{20,}
artifactory-key AKCp AKCp[A-Za-z0-9]{68,70}(?![\w-])
artifactory-key cmVmdGtu cmVmdGtu[A-Za-z0-9]{50,58}(?![\w-])
jwt eyJ (?<![\w-])eyJ[\w-]{8,}+\.eyJ[\w-]{8,}+\.[\w-]{8,}
mapbox-token sk.eyJ sk\.eyJ[\w-]{30,}\.[\w-]{20,}
1password-token ops_eyJ ops_eyJ[\w+/-]{70,}={0,3}
1password-key A3- A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}(?![\w-])
age-key AGE-SECRET-KEY-1 AGE-SECRET-KEY-1[A-Za-z0-9]{35,}
encoded-private-key LS0tLS1CRUdJTi LS0tLS1CRUdJTi[A-Za-z0-9+/]{20,}+={0,2}
twilio-key SK SK[0-9a-f]{32}(?![A-Za-z0-9])
sendgrid-key SG. SG\.[\w-]{16,32}\.[\w-]{22,}
sendinblue-key xkeysib-,xsmtpsib- x(?:key|smtp)sib-[A-Za-z0-9]{44,}-[A-Za-z0-9]{16}
mailgun-key key- key-[0-9a-f]{32}(?![A-Za-z0-9])
resend-key re_ re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}
digitalocean-token dop_v1_,doo_v1_,dor_v1_ do[opr]_v1_[A-Za-z0-9]{44,}
heroku-key HRKU- HRKU-[\w-]{25,}
fly-token fo1_ fo1_[\w-]{30,}
fly-token fm1a_,fm1r_,fm2_ fm(?:1[ar]|2)_[A-Za-z0-9+/]{42,}={0,3}
netlify-token nfp_,nfc_,nfo_ nf[pco]_[A-Za-z0-9]{25,}
vercel-token vercel_blob_rw_ vercel_blob_rw_\w{30,}
vercel-token vcp_,vci_,vca_,vcr_,vck_ vc[piark]_[A-Za-z0-9]{50,60}(?![\w-])
supabase-token sbp_,sb_secret_ (?:sbp_[A-Za-z0-9]{28,}|sb_secret_[\w-]{24,})
planetscale-token pscale_tkn_,pscale_oauth_,pscale_pw_ pscale_[a-z]+_[\w=.-]{22,}
neon-key napi_ napi_[A-Za-z0-9]{35,}
render-key rnd_ rnd_[A-Za-z0-9]{19,}(?![\w-])
cloudflare-origin-key v1.0- v1\.0-[A-Za-z0-9]{16,}-[A-Za-z0-9]{102,}
scaleway-key SCW SCW[A-Z0-9]{17}(?![\w-])
yandex-key AQVN AQVN[\w-]{35,38}(?![\w-])
yandex-token t1. t1\.[\w-]{20,}={0,2}\.[\w-]{56,}
terraform-token .atlasv1. \w{14}\.atlasv1\.[\w=-]{42,}
vault-token hvs.,hvb.,hvr. hv[sbr]\.[\w-]{24,}
doppler-token dp.pt.,dp.st.,dp.ct.,dp.sa.,dp.scim.,dp.audit. dp\.[a-z]{2,5}\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{28,}
infisical-token st. (?<![\w.-])st\.[0-9a-f-]{36}\.[0-9a-f]{32}\.[0-9a-f]{32}
pulumi-token pul- pul-[A-Za-z0-9]{28,}
infracost-key ico- ico-[A-Za-z0-9]{22,}(?![\w-])
harness-key pat.,sat. (?:pat|sat)\.[\w-]{22}\.[A-Za-z0-9]{16,}\.[A-Za-z0-9]{20}
databricks-token dapi dapi[A-Za-z0-9]{22,}
prefect-key pnu_,pnb_ pn[ub]_[A-Za-z0-9]{25,}
dynatrace-token dt0c01.,dt0s01.,dt0s16. dt0[a-z]\d\d\.[A-Za-z0-9]{8,24}\.[A-Za-z0-9]{44,}
new-relic-key NRAK- NRAK-[A-Za-z0-9]{18,}
new-relic-key NRII-,NRIQ-,NRRA-,NRJS- NR(?:II|IQ|RA|JS)-[\w-]{19,42}
grafana-token glsa_,glc_ glsa_\w{21,}|glc_[A-Za-z0-9+/=]{22,}
grafana-token eyJrIjoi eyJrIjoi[A-Za-z0-9]{42,}={0,2}
sentry-token sntrys_,sntryu_,sntrya_ sntry[sua]_[\w=/+-]{28,}
honeycomb-key hcaik_,hcxik_,hcbik_ hc[axb]ik_[A-Za-z0-9]{40,}
pagerduty-key pdus+ pdus\+[\w-]{20,}
sonar-token squ_,sqp_,sqa_ sq[upa]_[A-Za-z0-9]{28,}
sourcegraph-token sgp_ sgp_(?:(?:[A-Za-z0-9]{16}|local)_)?[A-Za-z0-9]{28,}
buildkite-token bkua_,bkpat_,bkaj_,bkct_ bk(?:ua|pat|aj|ct)_[A-Za-z0-9]{22,}
circleci-token CCIPAT_,CCIPRJ_ CCIP(?:AT|RJ)_[A-Za-z0-9]{20,24}_[A-Za-z0-9]{28,}
octopus-key API- API-[A-Z0-9]{26,40}(?![\w-])
openshift-token sha256~ sha256~[\w-]{30,}(?![\w-])
rancher-token token- token-[a-z0-9]{5}:[a-z0-9]{54}
tailscale-key tskey- tskey-[a-z]{2,12}-[\w-]{20,}
defined-key dnkey- dnkey-[\w=-]{18,}-[\w=-]{36,}
linear-key lin_api_,lin_oauth_ lin_[a-z]+_[A-Za-z0-9]{22,}
notion-token ntn_ ntn_[A-Za-z0-9]{40,}
notion-token secret_ secret_[A-Za-z0-9]{43}(?![\w-])
asana-token 1/,2/ (?<![\w/])[12]/\d{12,17}(?:/\d{12,17})?:[a-f0-9]{32}
clickup-token pk_ pk_\d{6,9}_[A-Z0-9]{32}
figma-token figd_,figu_,figo_ fig[duo]_[\w-]{25,}
typeform-token tfp_ tfp_[\w.=-]{28,}
frameio-token fio-u- fio-u-[\w=-]{44,}
dropbox-token sl. (?<![\w.-])sl\.(?:u\.)?[\w=-]{70,}
facebook-token EAA EAA[A-Za-z0-9]{90,}
instagram-token IGQV,IGAA IG(?:QV|AA)[A-Za-z0-9_-]{56,}
twitter-token AAAAAAAAAA A{20,24}[A-Za-z0-9%]{42,}
firebase-key :APA91b (?<![\w-])[\w-]{11,22}:APA91b[\w-]{70,}
shopify-token shpat_,shpca_,shppa_,shpss_,shptka_ shp[a-z]{2,3}_[A-Za-z0-9]{22,}
hubspot-token pat-na1-,pat-eu1-,pat-na2- pat-(?:na|eu)\d-[0-9a-f]{8}-[0-9a-f-]{27}
intra42-secret s-s4t2 s-s4t2(?:ud|af)-[A-Za-z0-9]{44,}
adobe-secret p8e- p8e-[A-Za-z0-9_-]{22,}
readme-key rdme_ rdme_[A-Za-z0-9]{49,}
contentful-token CFPAT- CFPAT-[\w-]{30,}
postman-key PMAK- PMAK-[A-Za-z0-9]{16,}-[A-Za-z0-9]{23,}
posthog-key phx_ phx_[A-Za-z0-9]{28,}
launchdarkly-key sdk-,api- (?:sdk|api)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\w-])
session-cookie s%3A s%3A[\w-]{20,}\.[\w%+/-]{20,}
private-key-body MII (?<![\w+/])MII[A-Za-z0-9+/]{1,4}(?:IBAAK|IBADANBgkqhkiG9w0BAQEFAASC)[A-Za-z0-9+/]{40,}+={0,2}
"""  # noqa: E501
_FORMS = tuple(
    (row[0], tuple(row[1].split(",")), row[2]) for row in map(str.split, _TABLE.strip().splitlines())
)
_AWS_SECRET = re.compile(
    r"[^A-Za-z0-9/+]{1,12}(?:[\w ]{1,30}[^A-Za-z0-9/+]{1,8})?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"
)
# Tokens without a beginning of their own: what stands in the middle or at the end tells.
_UNUSUAL = tuple(
    (name, re.compile(form, re.ASCII))
    for name, form in (
        ("discord-token", r"(?<![\w-])[MNO][A-Za-z\d][\w-]{21,26}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])"),
        ("airtable-token", r"(?<![\w-])pat[A-Za-z0-9]{14}\.[a-f0-9]{64}(?![\w-])"),
        ("mailchimp-key", r"(?<![\w-])[0-9a-f]{32}-us\d{1,2}(?![\w-])"),
        ("maxmind-key", r"(?<![\w-])\w{6}_\w{29}_mmk(?![\w-])"),
        ("azure-devops-token", r"(?<![\w-])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![\w-])"),
    )
)
_SHORTEST_UNUSUAL = 27
# Long runs of characters of which tokens are made, found by their translation into one letter.
_IN_RUN = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
_RUNS = bytes(97 if byte in _IN_RUN else 32 for byte in range(256))
_RUN = b"a" * 20
# Each literal with the number of its form, by where it is looked for: at runs, before them, anywhere.
_LITERALS = [(number, each.encode()) for number, row in enumerate(_FORMS) for each in row[1]]
_AT_RUNS: dict[bytes, list[tuple[int, bytes]]] = {}
for _each in _LITERALS:
    if not _each[1].translate(None, _IN_RUN):
        _AT_RUNS.setdefault(_each[1][:2], []).append(_each)
_ANYWHERE = [each for each in _LITERALS if b"=" in each[1]]
_BEFORE_RUNS = [each for each in _LITERALS if each[1].translate(None, _IN_RUN) and each not in _ANYWHERE]
_BETWEEN = frozenset(
    b"./:~$+|!=%"
)  # one of them ends such a literal, or is next to a run that it reaches into
_HEAD = 64  # how far before a run the literal stands that is not made of its characters


def tokens(text: str, data: bytes) -> Iterator[Secret]:
    """Keys and tokens in the text."""
    runs = list(_long_runs(data))
    for start, end in runs:
        for number, literal in _AT_RUNS.get(data[start : start + 2], ()):
            if data.startswith(literal, start):
                token = _form(number).match(text, start)
                if token and _is_token(token.group()):
                    yield Secret(_FORMS[number][0], *token.span())
                    if number == 0:
                        yield from _aws_secrets(text, token.end())
        if end - start >= _SHORTEST_UNUSUAL and _is_unusual(data, start, end):
            for name, form in _UNUSUAL:
                for token in form.finditer(text, max(0, start - 40), start + 90):
                    yield Secret(name, *token.span())
    present = [each for each in _ANYWHERE if each[1] in data]
    if runs:
        near = [start for start, _ in runs if start and data[start - 1] in _BETWEEN]
        heads = b" ".join([data[max(0, start - _HEAD) : start + 8] for start in near])
        present += [each for each in _BEFORE_RUNS if each[1] in heads]
    for number, literal in present:
        yield from _around(text, number, literal.decode())


def _aws_secrets(text: str, end: int) -> Iterator[Secret]:
    """The other half of a pair, which has no form of its own."""
    match = _AWS_SECRET.match(text, end)
    if match and is_random(match.group(1)):
        yield Secret("aws-secret-key", *match.span(1))


def _around(text: str, number: int, literal: str) -> Iterator[Secret]:
    """Tokens of a form that has the literal not where a run begins."""
    form = _form(number)
    place = text.find(literal)
    while place >= 0:
        token = form.match(text, _beginning(text, literal, place))
        if token and _is_token(token.group()):
            yield Secret(_FORMS[number][0], *token.span())
        place = text.find(literal, max(place + 1, token.end() if token else 0))


def _long_runs(data: bytes) -> Iterator[tuple[int, int]]:
    runs = data.translate(_RUNS)
    start = runs.find(_RUN)
    while start >= 0:
        end = runs.find(b" ", start + len(_RUN))
        end = len(runs) if end < 0 else end
        yield start, end
        start = runs.find(_RUN, end)


def _is_unusual(data: bytes, start: int, end: int) -> bool:
    """Whether a run may be, or end, one of the unusual tokens."""
    if data[start - 1 : start] == b".":
        return data[start - 8 : start - 7] == b"." or data[start - 18 : start - 15] == b"pat"
    return (
        data[start + 32 : start + 35] == b"-us"
        or data[end - 4 : end] == b"_mmk"
        or data[end - 8 : end - 4] == b"AZDO"
    )


@cache
def _form(number: int) -> re.Pattern[str]:
    form = _FORMS[number][2]
    return re.compile(form if form.startswith("(?<") else f"(?<![\\w-])(?:{form})", re.ASCII)


def _beginning(text: str, literal: str, place: int) -> int:
    """Where a token begins that has its literal there."""
    before = text[max(0, place - 22) : place]
    if literal == "Q~":
        return max(0, place - 4)
    if literal == ".atlasv1.":
        return max(0, place - 14)
    if literal == ":A":
        return place - len(before) + len(before.rstrip("0123456789"))
    if literal in (":APA91b", "!AQ", "!AR", "|"):
        return place - len(re.split(r"[^\w-]", before, flags=re.ASCII)[-1])
    return place + (literal[0] == ".")


def _is_token(token: str) -> bool:
    """Whether it is a token and not a row of x, a word or your-token-here."""
    if token.startswith("LS0t"):
        return _is_encoded_key(token)
    tail = token[-24:]
    if len(set(tail)) < 7 or FILLER.search(tail):
        return False
    return any(map(str.isdigit, token)) or (
        len(set(tail)) >= 12 and not tail.islower() and not tail.isupper()
    )


def _is_encoded_key(token: str) -> bool:
    """Whether what is base64 begins as a private key does; certificates lack a word of that."""
    head = token[: min(len(token) // 4 * 4, 80)]
    try:
        return b"PRIVATE KEY" in binascii.a2b_base64(head)
    except ValueError:
        return False
