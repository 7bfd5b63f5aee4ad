"""Secrets in text. The planted ones are put together here, so that no scanner takes this file for a leak."""

from __future__ import annotations

import base64
import json
import random
import string
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.formats.secrets import find, masked

LABELLED = Path(__file__).parents[2] / "bench" / "labelled" / "secrets-own.json"
DICE = random.Random(20)
LETTERS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


def made(length: int, alphabet: str = LETTERS) -> str:
    """Something random that has a figure, a small and a capital letter if the alphabet has."""
    return "".join(DICE.choice(alphabet) for _ in range(length - 4)) + "".join(
        (alphabet[-1], alphabet[-3], alphabet[0], alphabet[len(alphabet) // 2])
    )


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def url64(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


BASE32 = string.ascii_uppercase + "234567"
PASSWORD = "T" + "r0ub4dor&3"
JWT = ".".join((url64('{"alg":"HS256","typ":"JWT"}'), url64('{"sub":"1234567890","name":"Al"}'), made(43)))
PEM_BODY = "\n".join(made(64) for _ in range(12))


def pem(kind: str, body: str = PEM_BODY) -> str:
    return f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----"


PLANTED = [
    ("aws-access-key", "AKIA" + made(16, BASE32)),
    ("aws-access-key", "ASIA" + made(16, BASE32)),
    ("aws-secret-key", f"aws_secret_access_key = {made(40, LETTERS + '/+')}"),
    ("aws-secret-key", f'"SecretAccessKey": "{made(40, LETTERS + "/+")}"'),
    ("gcp-api-key", "AIza" + made(35)),
    ("google-oauth", "GOCSPX-" + made(28)),
    ("google-oauth", "ya29." + made(60)),
    ("private-key", '"private_key": "' + pem("PRIVATE KEY").replace("\n", "\\n") + '",'),
    ("azure-storage-key", f"AccountName=box;AccountKey={made(86)}==;EndpointSuffix=core.windows.net"),
    ("azure-storage-key", f"SharedAccessKeyName=root;SharedAccessKey={made(43)}="),
    ("azure-client-secret", f"{made(3)}8Q~{made(34)}"[-40:]),
    ("azure-sas", f"https://box.blob.core.windows.net/c?sv=2024-01-01&sp=r&sig={made(20)}%2F{made(22)}%3D"),
    ("github-token", "ghp_" + made(36)),
    ("github-token", "gho_" + made(36)),
    ("github-token", "ghu_" + made(36)),
    ("github-token", "ghs_" + made(36)),
    ("github-token", "ghr_" + made(76)),
    ("github-token", f"github_pat_{made(22)}_{made(59)}"),
    ("gitlab-token", "glpat-" + made(20)),
    ("gitlab-token", "glptt-" + made(40, HEX)),
    ("gitlab-token", f"glpat-{made(27)}.01.{made(9)}"),
    ("slack-token", f"xoxb-{made(12, string.digits)}-{made(12, string.digits)}-{made(24)}"),
    ("slack-token", f"xapp-1-A{made(10)}-{made(13, string.digits)}-{made(64, HEX)}"),
    ("slack-webhook", f"https://hooks.slack.com/services/T{made(8)}/B{made(10)}/{made(24)}"),
    ("stripe-key", "sk_live_" + made(24)),
    ("stripe-key", "rk_live_" + made(24)),
    ("stripe-key", "whsec_" + made(32)),
    ("openai-key", "sk-" + made(48)),
    ("openai-key", f"sk-proj-{made(40)}-{made(30)}"),
    ("anthropic-key", f"sk-ant-api03-{made(50)}-{made(30)}AA"),
    ("huggingface-token", "hf_" + made(34)),
    ("npm-token", "npm_" + made(36)),
    ("pypi-token", "pypi-AgEIcHlwaS5vcmc" + made(80)),
    ("jwt", JWT),
    ("private-key", pem("RSA PRIVATE KEY", f"Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,A\n\n{PEM_BODY}")),
    ("private-key", pem("OPENSSH PRIVATE KEY")),
    ("private-key", pem("PGP PRIVATE KEY BLOCK")),
    ("private-key", f"-----BEGIN EC PRIVATE KEY-----\n{PEM_BODY}"),
    ("age-key", "AGE-SECRET-KEY-1" + made(58, string.ascii_uppercase + string.digits)),
    ("bearer-token", f"Authorization: Bearer {made(40)}"),
    ("bearer-token", f"curl -H 'authorization: bearer {made(20)}.{made(20)}'"),
    ("basic-credentials", f"Authorization: Basic {b64('al:open sesame')}"),
    ("password-in-url", f"https://al:{made(12)}@git.example.org/x.git"),
    ("password-in-url", "postgres://app:s3cr3tpw@db.internal:5432/shop"),
    ("password-in-url", "mongodb+srv://app:kiwi-4-breakfast@c0.mongodb.net/x"),
    ("password-in-url", "redis://:horsebattery@cache:6379/0"),
    ("password", "Server=db.internal;Database=shop;User Id=sa;Password=horse;Encrypt=yes"),
    ("password", "host=db.internal user=app password=tulip dbname=shop"),
    ("password", f"password: {PASSWORD}"),
    ("password", f"the password is {PASSWORD}."),
    ("password", f"Passwort: {PASSWORD}"),
    ("password", f'DB_PASSWORD="{PASSWORD}"'),
    ("password", f"mysql --password {PASSWORD} shop"),
    ("password", f"- **Password**: `{PASSWORD}`"),
    ("assigned-secret", f"api_key = '{made(32)}'"),
    ("assigned-secret", f"X-Api-Key: {made(32, HEX)}"),
    ("assigned-secret", f"client_secret={made(30)}"),
    ("assigned-secret", '{"client_secret": "Zx81kQp0-aaB93mnPq"}'),
    ("assigned-secret", f"TWILIO_AUTH_TOKEN={made(32, HEX)}"),
    ("assigned-secret", f"https://example.org/feed?user=7&access_token={made(32)}&page=2"),
    ("twilio-key", "SK" + made(32, HEX)),
    ("sendgrid-key", f"SG.{made(22)}.{made(43)}"),
    ("telegram-token", f"{made(10, '123456789')}:AA{made(33)}"),
    ("discord-token", f"MT{made(24)}.{made(6)}.{made(38)}"),
    ("discord-webhook", f"https://discord.com/api/webhooks/{made(18, '123456789')}/{made(68)}"),
    ("digitalocean-token", "dop_v1_" + made(64, HEX)),
    ("vault-token", "hvs." + made(90)),
]  # fmt: skip

HARMLESS = """
Her id is 123e4567-e89b-12d3-a456-426614174000.
token: 123e4567-e89b-12d3-a456-426614174000
client_secret: 00000000-0000-0000-0000-000000000000
commit 9fceb02d0ae598e95dc970b74767f19372d61af8
git show 9fceb02d0ae598e95dc970b74767f19372d61af8:README.md
sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
integrity="sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="
password = input()
password = getpass.getpass("Password: ")
password = os.environ["DB_PASSWORD"]
password: process.env.DB_PASSWORD
password=$DB_PASSWORD
password: ${DB_PASSWORD}
password: "{{ vault_db_password }}"
password: <your password>
password: changeme
password: hunter2
password: ********
password: xxxxxxxxxxxx
password: example
password: "my-secret-password"
password: Optional[str] = None
password: str = Field(min_length=12)
self.password = newPassword2
password_hash = "9fceb02d0ae598e95dc970b74767f19372d61af8"
passwordField.placeholder = "Password123456"
The password is stored in the keychain, not in the file.
The password is Correct and cannot be changed.
Passwords: at least 12 characters, one of which is a figure.
What passes for a secret: a word of 2026 and nothing else.
The passage: Section12Paragraph3
The secret is that there is no secret.
The token is refreshed after 3600 seconds.
max_tokens: 4096
tokenizer: sentencepiece-v0.1.99-bpe32k
token: string;
token = next(tokens)
token_url: https://auth.example.org/oauth2/v2.0/token
next_page_token = "CAUQAA1b2C3d4E5f6G7h8"
"NextToken": "CpHNsscimcV5oH7bSbub03CI2Qms5ypNpNm53MNlR0Y"
"AWS::ApiGateway::ApiKey": "48205d4ffd7feba3",
MLKEM768X25519PrivateKey = rust_openssl.hpke.MLKEM768X25519PrivateKey
"CredentialId": "8LApgk4lNUFHbhm2w6Und7uxcc8coJGsPxiogvHoItc64xWQc3r4"
api_key: YOUR_API_KEY
api_key=your-api-key-here-1234
api_key = settings.api_key
OPENAI_API_KEY=sk-...
OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
ANTHROPIC_API_KEY=sk-ant-your-key-here
export GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
AKIAXXXXXXXXXXXXXXXX
GITLAB_TOKEN=glpat-xxxxxxxxxxxxxxxxxxxx
The key to the house is under the mat, since 2019.
key: value
primary_key=True
keyboard: QWERTY-layout-2019-Edition
public_key: MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7l1kDk2jX9wq3 al@host
-----BEGIN PUBLIC KEY-----
-----BEGIN CERTIFICATE-----
Keys begin with `-----BEGIN PRIVATE KEY-----` and end with `-----END PRIVATE KEY-----`.
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Use bearer authentication, not basic authentication.
Basic understanding of programming is required.
basic Mathematics1
https://example.org/a/b?c=d&e=f#g
https://user@example.org/path
https://user:password@example.org/
https://user:$TOKEN@example.org/x.git
postgres://postgres:postgres@localhost:5432/postgres
postgres://${USER}:${PASSWORD}@localhost/db
http://localhost:8080/a@b
see https://example.org:8443/@someone/112233445566778899
https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf
https://drive.example.com/file/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk
background: url(data:font/woff2;base64,d09GMgABAAAAAAIkAAsAAAAABVQAAAHXAAEAAAAA)
npm_config_registry_for_all_of_the_packages_1
pypi-some-rather-long-package-name-2-and-its-successor
hf_hub_download_from_a_long_named_repository_2024
risk-averse-people-of-the-nineteenth-century-1899
desk-1234567890 task-4567890123456789
import numpy as np; np.random.default_rng(20260414)
def test_password_reset_token_is_sent_2_times(): pass
eyJ is how a JSON object begins in base64.
SKU 0123456789 and SK12 are parts
ISBN 978-3-16-148410-0, DOI 10.1000/xyz123
Meeting ID: 850 1234 5678
2026-04-14T12:00:00.000Z INFO request_id=7f3c9a2e1b4d4c5e8f6a status=200
:root { --color: #a1b2c3d4; }
AGE-SECRET-KEY-1 is the prefix of such a key
""".strip().splitlines()


@pytest.mark.parametrize(("rule", "text"), PLANTED, ids=lambda value: value[:24])
def test_a_planted_secret_is_found(rule: str, text: str) -> None:
    for around in (text, f"Look here: {text}\nand then?", f"| a | {text} |"):
        assert [secret.rule for secret in find(around)] == [rule]
    assert f"[secret: {rule}]" in masked(text)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_harmless_is_left_alone(text: str) -> None:
    assert masked(text) == text


def labelled(kind: str) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = json.loads(LABELLED.read_text(encoding="utf-8"))[kind]
    return rows


@pytest.mark.parametrize("row", labelled("secrets"), ids=lambda row: row["kind"])
def test_nothing_of_a_labelled_secret_is_left(row: dict[str, str]) -> None:
    for around in (row["line"], f"Before.\n\n{row['line']}\n\nAfter."):
        assert row["secret"] not in masked(around)


@pytest.mark.parametrize("row", labelled("harmless"), ids=lambda row: row["line"][:30])
def test_a_labelled_line_without_a_secret_stays(row: dict[str, str]) -> None:
    assert masked(row["line"]) == row["line"]


def test_there_are_enough_of_both() -> None:
    assert len(PLANTED) >= 40
    assert len(HARMLESS) >= 60


def test_masking_leaves_nothing_of_the_secret_and_all_of_the_rest() -> None:
    token = "ghp_" + made(36)
    text = f"🔑 Zuerst ({token}), dann `{token}`; Ende İ."
    assert masked(text) == "🔑 Zuerst ([secret: github-token]), dann `[secret: github-token]`; Ende İ."


def test_overlapping_findings_are_one_named_by_its_form() -> None:
    token = "ghp_" + made(36)
    assert masked(f'"password": "{token}"') == '"password": "[secret: github-token]"'
    assert masked(f"Authorization: Bearer {JWT}") == "Authorization: Bearer [secret: jwt]"


@pytest.mark.parametrize(
    "comment", ["# quaid: allow-secret", "<!-- Quaid: Allow-Secret -->", "// pragma: allowlist secret"]
)
def test_a_comment_allows_the_secrets_of_its_line_only(comment: str) -> None:
    one, other = "ghp_" + made(36), "ghp_" + made(36)
    text = f"{one} {comment}\n{other}\n"
    assert masked(text) == f"{one} {comment}\n[secret: github-token]\n"


def test_many_secrets_of_many_kinds_in_one_text() -> None:
    text = "\n\n".join(secret for _, secret in PLANTED)
    assert [secret.rule for secret in find(text)] == [rule for rule, _ in PLANTED]


# What a careless expression would look through again and again; no secret comes of it.
SLOW = (
    *(
        "password is ",
        "password for the ",
        "cookie: a=b; ",
        "authorization: Digest ",
        "kind: Secret\ndata:\n",
    ),
    *("@", "a:b@c.d ", "curl -u a ", "mysql -p ", "seed 1 ", "$2y$10$", "login: a/", "echo 'a' | sudo -S "),
    *("net use \\\\a / ", "PIN ", "api key: ", 'token:"', "machine a login b ", "-----BEGIN "),
    *("---- BEGIN SSH2 PRIVATE KEY ----\nab\n", "otpauth://a?", "WIFI:T:", "identified by ", "door code "),
    *(
        'variable "password" {',
        "name: PASSWORD\n",
        "SCRAM-SHA-256$4096:",
        "is the password ",
        "?key=",
        "clave: ",
    ),
)


@pytest.mark.parametrize(
    "text",
    [
        base64.b64encode(random.Random(1).randbytes(750_000)).decode(),
        base64.encodebytes(random.Random(2).randbytes(740_000)).decode(),
        random.Random(3).randbytes(500_000).hex(),
        *(
            part * (1_000_000 // len(part))
            for part in (
                "eyJ",
                "-eyJaaaa",
                "sk-1",
                "1:AA",
                "://a:",
                "_",
                "bearer a",
                "1 ",
                "-----BEGIN PRIVATE KEY-----",
            )
        ),
        *(part * (100_000 // len(part)) for part in SLOW),
    ],
    ids=lambda text: text[:12].strip(),
)
def test_a_megabyte_of_anything_takes_no_time_and_has_no_secret(text: str) -> None:
    started = time.process_time()
    assert find(text) == ()
    assert time.process_time() - started < 20  # of a processor; what is quadratic takes minutes


@given(
    st.text(
        alphabet=st.one_of(st.characters(), st.sampled_from("password=:\"' sk-eyJ.ghp_://@&\n")), max_size=300
    )
)
def test_findings_are_in_order_and_masking_twice_changes_nothing(text: str) -> None:
    ends = [place for secret in find(text) for place in (secret.start, secret.end)]
    assert ends == sorted(ends)
    assert all(0 <= place <= len(text) for place in ends)
    once = masked(text)
    assert masked(once) == once


@given(st.sampled_from(PLANTED), st.text(max_size=80), st.text(max_size=80))
def test_a_secret_is_found_in_any_surroundings(planted: tuple[str, str], before: str, after: str) -> None:
    rule, text = planted
    assert rule in {secret.rule for secret in find(f"{before}\n{text}\n{after}")}
