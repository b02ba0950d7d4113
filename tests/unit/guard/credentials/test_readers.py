"""What stands behind a keyword: values, PINs, codes, phrases, logins."""

from __future__ import annotations

import pytest

from ethos_memory.guard.credentials import find, redact

WORDS = (
    "amber barrel copper dune ember fern glacier harbor island juniper kestrel lantern"
)
RANDOM = "aB3dE6gH9jK2mN5p"


def found(text: str) -> list[str]:
    """Return the values found in a text."""
    return [text[hit.start : hit.end] for hit in find(text)]


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("the password is swordfish.", ["swordfish"]),
        ("my password was swordfish", ["swordfish"]),
        ("Password: swordfish", ["swordfish"]),
        ("PASSWORD=swordfish", ["swordfish"]),
        ('"password": "swordfish"', ["swordfish"]),
        ('the password is "open sesame maple"', ["open sesame maple"]),
        ('the password is "blue Horse-77"', ["blue Horse-77"]),
        ("Password: correct-horse-battery", ["correct-horse-battery"]),
        ('password: "maple-horse"', ["maple-horse"]),
        ("my password is correct horse battery maple.", ["correct horse battery maple"]),
        ("the password is P@ssage!", ["P@ssage!"]),
        ("Passwort: Bl@umeise", ["Bl@umeise"]),
        ("password: 84719302", ["84719302"]),
        ("the password is hunter22 and the user is ana", ["hunter22"]),
        ("password (router): hunter22", ["hunter22"]),
        ("Password for the lab and the shed: hunter22", ["hunter22"]),
        ("password -> hunter22", ["hunter22"]),
        ("the password — hunter22", ["hunter22"]),
        ("| password | hunter22 |", ["hunter22"]),
        ("password:\n  hunter22", ["hunter22"]),
        ("password:\n- hunter22", ["hunter22"]),
        ("- **Password**: hunter22", ["hunter22"]),
        ("- **Password:** **hunter22**", ["hunter22"]),
        ("password: *hunter22*", ["hunter22"]),
        ("password: _hunter22_", ["hunter22"]),
        ("password: (hunter22)", ["hunter22"]),
        ("(the password is hunter22)", ["hunter22"]),
        ("password is hunter22, the pin is 4471", ["hunter22", "4471"]),
        ("password: “hunter22”", ["hunter22"]),
        ("password: «hunter22»", ["hunter22"]),
        ('{\\"password\\": \\"hunter22\\"}', ["hunter22"]),
        ("password='hunter22", ["hunter22"]),
        ("user=ana,password=hunter22,host=x", ["hunter22"]),
        ("Password=hunter22;Database=x", ["hunter22"]),
        ("https://x.example/?password=hunter22#top", ["hunter22"]),
        ("<password>hunter22</password>", ["hunter22"]),
        ('<add key="Password" value="hunter22" />', ["hunter22"]),
        ("tool --password hunter22 --verbose", ["hunter22"]),
        ("tool --token a1b2c3d4e5 --verbose", ["a1b2c3d4e5"]),
        ("user: ana pass: Hunter-22", ["Hunter-22"]),
        ("DB_PASS=hunter", ["hunter"]),
        ("hunter2-Xk9 is my password", ["hunter2-Xk9"]),
        ('log in with "hunter2-Xk9" as the password.', ["hunter2-Xk9"]),
        ("Moosgruen-19 ist das Passwort für den Server", ["Moosgruen-19"]),
        ("contraseña: 'Hola mundo-7'", ["Hola mundo-7"]),
        ("WLAN-Passwort lautet Sonnenblume", ["Sonnenblume"]),
        ("WiFi密码是sunflower", ["sunflower"]),
        ("the token is tok-demo-8841-plum", ["tok-demo-8841-plum"]),
        ("token: rk-demo-41-tansy-ridge", ["rk-demo-41-tansy-ridge"]),
        ("my key is " + RANDOM, [RANDOM]),
        (f'SNYK_KEY = "{RANDOM}"', [RANDOM]),
        (f"hubspotKey: {RANDOM}", [RANDOM]),
        (f"the SNYK_KEY is {RANDOM}", [RANDOM]),
        ("password: x/y!z22", ["x/y!z22"]),
        ("password: hunter22))))))", ["hunter22"]),
        ("api key " + RANDOM * 2, [RANDOM * 2]),
        (f'getenv("api_token", "{RANDOM}")', [RANDOM]),
        ('secret: "correcthorsebattery"', ["correcthorsebattery"]),
        ("client_secret=correcthorsebattery", ["correcthorsebattery"]),
        (f'"credentials": "{RANDOM * 2}"', [RANDOM * 2]),
        ("My PIN is 4471.", ["4471"]),
        ("PIN 4471", ["4471"]),
        ("the pin is 44 71 22", ["44 71 22"]),
        ("backup code: 8812 0093", ["8812 0093"]),
        ("recovery codes: a1b2-c3d4, e5f6-a7b8 and c9d0-e1f2", ["a1b2-c3d4", "e5f6-a7b8", "c9d0-e1f2"]),
        ("recovery codes:\n- a1b2-c3d4\n- e5f6-a7b8\n\nmore", ["a1b2-c3d4", "e5f6-a7b8"]),
        (f"Seed phrase: {WORDS}", [WORDS]),
        (f"the mnemonic is {WORDS}.", [WORDS]),
        ('My recovery phrase starts with "barrel ocean violet".', ["barrel ocean violet"]),
        ("The login is wim / Tansy!204.", ["Tansy!204"]),
        ("wifi: fernhill / tansy2041", ["tansy2041"]),
        ("credentials: ana, tansy2041", ["tansy2041"]),
        ("login: admin:admin2041", ["admin2041"]),
    ],
)  # fmt: skip
def test_a_keyword_gives_a_secret_away(text: str, secrets: list[str]) -> None:
    """Exactly the values, in the order of the text."""
    assert found(text) == secrets


@pytest.mark.parametrize(
    "text",
    [
        "the password is fine",
        "the password is strong and long enough for us",
        "the password is swordfish or something like it",
        "when the password is swordfish it fails",
        "the password is correct for the vault of the bank",
        "password = variable",
        "pass `isDemoData` and `x2` on",
        "pass: user2",
        "password: 2024-05-01",
        "password: ask ana2@example.org",
        "password: 1.2.3-rc1",
        "password: N/A",
        "password: self.config.password2",
        "password: fetch(user2)",
        "password: DB_PASSWORD_2",
        "password: ./secrets/pw2.txt",
        "password: https://vault.example/x2",
        'the password is "very weak"',
        "hide the password: `wifi-menu --obscure`",
        'password: ""',
        "password: %s1",
        "password - see page 12",
        "password - swordfish",
        "my password is strong public random secret",
        "SNYK_KEY=abc1",
        "arn:aws:secretsmanager:*:*:secret:rds-beta-us-east-1!x",
        '["tokens", "symbol2label"]',
        "private_key: PKCS12PrivateKeyTypes",
        "password: SecretStr",
        "get(version_id, bypass=swordfish)",
        "instead pass it in a call: Quince!77x",
        "passphrase=passphrase",
        "USER_PASSWD = '%s:%s'",
        "SNYK_KEY=vault:a1b2c3d4e5f6a7b8",
        "SNYK_KEY=live:a1b2c3d4e5f6a7b8",
        "login 2 times",
        "login: ana / v1.2.3",
        "Notes2A.txt is my password",
        'credentials: "a token of twenty characters, 2"',
        "the password 12345 times",
        "hashed password: $2b$12$",
        "password > 12 characters",
        "no password is hunter22",
        "the 2FA-protected password",
        "SHA-256 is the password hash",
        "x1 is the password",
        "hunter22 is the old passphrase prompt",
        "a b c is the password",
        "token is short1",
        "the token is v2-only-here",
        "token: abcdefghijkl",
        "token: my-secret-token-2",
        "token: abc123def456...",
        "token: two words2",
        "the token Abc-123",
        "access token 3600 seconds",
        "the key is telegram:88001122:1",
        "the key is " + "a1b2c3d4" * 5,
        "key: ABC-123",
        "sort_key: " + RANDOM,
        "KEY_PATH=/etc/keys/a1b2c3d4e5f6a7b8",
        "CACHE_KEY=a:b1c2d3e4f5a6b7c8",
        "the monkey-2 is here",
        "seed phrase: see the safe",
        'the seed phrase is "in two"',
        "seed phrase is kept by ana and by ben in a safe at the bank on main street",
        "phrase: amber barrel copper",
        "pin 27 drives the relay",
        "pin: 27",
        "the pin has 4 digits",
        "PIN: 4471 digits",
        "PIN: 2024-05-01",
        "code: 4471",
        "the backup code runs at 0300 daily",
        "backup code: ask",
        "backup code - 4471",
        "login: ana",
        "login: ana / ben",
        "login: ana / b2",
        "login: 2024 / abc1234",
        "login: example.com/user123",
        "login with 2 factors",
        'credentials: "ask the admin for the 2 of them"',
    ],
)
def test_a_keyword_without_a_secret_is_kept(text: str) -> None:
    """Talk about passwords, references, numbers with a unit, names in code."""
    assert redact(text) == text


def test_a_list_of_codes_has_an_end() -> None:
    """More codes than anybody prints are not followed."""
    codes = ", ".join(f"a{number:03d}-b{number:03d}" for number in range(80))
    assert len(found(f"recovery codes: {codes}")) == 64


def test_a_very_long_value_goes_whole() -> None:
    """A value is judged by its beginning and replaced to its end."""
    value = RANDOM * 100
    assert found(f"password: {value} and more") == [value]
    assert found(f'password: "{value[:400]}" and more') == [value[:400]]


def test_closing_marks_are_taken_off_a_few_times() -> None:
    """Nobody nests them deeper; the rest goes with the value."""
    (value,) = found("password: hunter22" + ".)" * 20)
    assert value.startswith("hunter22.")
    assert len("hunter22") < len(value) < len("hunter22") + 40


def test_a_quote_that_never_closes_is_no_quote() -> None:
    """The value then ends at white space."""
    assert found('password: "hunter22\nmore"') == ["hunter22"]
