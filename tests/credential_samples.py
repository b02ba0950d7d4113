"""Made-up credentials, put together from pieces so that no scanner trips on a file."""

from __future__ import annotations

import base64
import json
import string
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

__all__ = ["KEEP", "KINDS", "Sample", "private_key"]

#: A text and the secret in it.
Sample: TypeAlias = tuple[str, str]

BASE62: Final = string.ascii_letters + string.digits
WORD: Final = BASE62 + "_-"
HEX: Final = "0123456789abcdef"
UPPER: Final = string.ascii_uppercase + string.digits
DASHES: Final = "-" * 5
WORDS: Final = (
    "amber", "barrel", "copper", "dune", "ember", "fern", "glacier", "harbor", "island",
    "juniper", "kestrel", "lantern", "meadow", "nectar", "ocean", "pepper", "quartz",
    "raven", "saddle", "timber", "umber", "velvet", "walnut", "yonder", "zephyr",
)  # fmt: skip


def _some(rng: Random, letters: str, count: int) -> str:
    return "".join(rng.choice(letters) for _ in range(count))


def _uuid(rng: Random) -> str:
    return "-".join(_some(rng, HEX, count) for count in (8, 4, 4, 4, 12))


def _jwt(rng: Random) -> str:
    def part(value: object) -> str:
        raw = json.dumps(value).encode()
        return base64.urlsafe_b64encode(raw).decode().rstrip("=")

    claims = {"sub": _some(rng, string.digits, 8), "name": rng.choice(WORDS)}
    return ".".join((part({"alg": "HS256"}), part(claims), _some(rng, WORD, 43)))


def private_key(rng: Random, name: str = "PRIVATE KEY", lines: int = 6) -> str:
    """Return a block with random lines of base64."""
    body = "\n".join(_some(rng, BASE62 + "+/", 64) for _ in range(lines))
    return f"{DASHES}BEGIN {name}{DASHES}\n{body}\n{DASHES}END {name}{DASHES}"


def _password(rng: Random) -> str:
    first, second = rng.sample(WORDS, 2)
    number = rng.randrange(10, 9999)
    return rng.choice(
        (
            f"{first}-{second.title()}-{number}",
            f"{first}{number}!",
            f"{first.title()}{second}{number}",
            _some(rng, BASE62 + "!#%*", 12) + "7k",
            f"{first}{number}",
        )
    )


def _token(rng: Random) -> str:
    return _some(rng, BASE62, rng.randrange(20, 44)) + "7k"


_CARRIERS: Final = (
    "Uses the billing API; key is {}, rotate in May",
    "User shared {}",
    "- the deploy script reads {} from the page",
    "remember this: {}",
    'config: {{"x": "{}"}}',
    "| service | {} |",
)


def _shape(*makers: Callable[[Random], str]) -> Callable[[Random], Sample]:
    def sample(rng: Random) -> Sample:
        secret = rng.choice(makers)(rng)
        return rng.choice(_CARRIERS).format(secret), secret

    return sample


def _prefix(prefix: str, letters: str, count: int) -> Callable[[Random], str]:
    pieces = list(prefix)
    return lambda rng: "".join(pieces) + _some(rng, letters, count)


def _said(make: Callable[[Random], str], *carriers: str) -> Callable[[Random], Sample]:
    def sample(rng: Random) -> Sample:
        secret = make(rng)
        return rng.choice(carriers).replace("{}", secret), secret

    return sample


def _basic(rng: Random) -> Sample:
    login = f"{rng.choice(WORDS)}:{_password(rng)}"
    secret = base64.b64encode(login.encode()).decode()
    return f"curl -H 'Authorization: Basic {secret}' https://api.example.com", secret


def _key_block(name: str) -> Callable[[Random], Sample]:
    def sample(rng: Random) -> Sample:
        secret = private_key(rng, name)
        return f"The server's key:\n{secret}\nKeep it safe.", secret

    return sample


def _aws_secret(rng: Random) -> Sample:
    secret = _some(rng, BASE62 + "/+", 38) + "7k"
    access = "AK" + "IA" + _some(rng, UPPER, 16)
    return rng.choice(
        (
            (f"aws_secret_access_key = {secret}", secret),
            (f"AWS_SECRET_ACCESS_KEY={secret}", secret),
            (f"AWS: {access} / {secret}", secret),
        )
    )


def _seed(rng: Random) -> Sample:
    secret = " ".join(rng.choice(WORDS) for _ in range(12))
    return rng.choice(("Seed phrase: {}", "my recovery phrase is {}.")).format(
        secret
    ), secret


def _digits(count: int) -> Callable[[Random], str]:
    return lambda rng: _some(rng, "123456789", count)


def _code(rng: Random) -> str:
    return (
        f"{_some(rng, '23456789', 2)}{_some(rng, 'abcdefgh', 3)}-{_some(rng, HEX, 5)}"
    )


KINDS: Final[Mapping[str, Callable[[Random], Sample]]] = {
    "github classic": _shape(*(_prefix(f"gh{c}_", BASE62, 36) for c in "pousr")),
    "github fine-grained": _shape(_prefix("github_" + "pat_", BASE62 + "_", 82)),
    "gitlab": _shape(_prefix("glp" + "at-", WORD, 20), _prefix("gld" + "t-", WORD, 20)),
    "anthropic": _shape(_prefix("sk-" + "ant-api03-", WORD, 93)),
    "openai old": _shape(_prefix("s" + "k-", BASE62, 48)),
    "openai project": _shape(_prefix("sk-" + "proj-", WORD, 120)),
    "openrouter": _shape(_prefix("sk-" + "or-v1-", HEX, 64)),
    "aws access": _shape(
        _prefix("AK" + "IA", UPPER, 16), _prefix("AS" + "IA", UPPER, 16)
    ),
    "aws secret": _aws_secret,
    "google api": _shape(_prefix("AI" + "za", WORD, 35)),
    "google oauth": _shape(
        _prefix("ya" + "29.", WORD, 80), _prefix("GOC" + "SPX-", WORD, 28)
    ),
    "azure": _said(
        lambda rng: _some(rng, BASE62 + "+/", 86) + "==",
        "DefaultEndpointsProtocol=https;AccountName=files;AccountKey={};EndpointSuffix=core.windows.net",
        "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={}",
    ),
    "azure client": _shape(
        lambda rng: (
            f"{_some(rng, BASE62, 3)}8" + "Q~" + _some(rng, WORD + ".~", 33) + "k"
        )
    ),
    "slack": _shape(
        lambda rng: "xo" + f"xb-{_some(rng, '123456789', 12)}-{_some(rng, BASE62, 24)}",
        lambda rng: "xo" + f"xp-{_some(rng, '123456789', 12)}-{_some(rng, HEX, 32)}",
        lambda rng: (
            "xa"
            f"pp-1-A{_some(rng, UPPER, 10)}-{_some(rng, '123456789', 13)}-{_some(rng, HEX, 64)}"
        ),
    ),
    "slack webhook": _said(
        lambda rng: (
            f"T{_some(rng, UPPER, 8)}/B{_some(rng, UPPER, 8)}/{_some(rng, BASE62, 24)}"
        ),
        "posts to https://hooks." + "slack.com/services/{} on failure",
    ),
    "stripe": _shape(
        *(
            _prefix(f"{a}k_" + f"{b}_", BASE62, 24)
            for a in "sr"
            for b in ("live", "test")
        )
    ),
    "twilio": _shape(_prefix("S" + "K", HEX, 32)),
    "twilio auth": _said(lambda rng: _some(rng, HEX, 32), "Twilio auth token: {}"),
    "sendgrid": _shape(
        lambda rng: "S" + f"G.{_some(rng, WORD, 22)}.{_some(rng, BASE62, 43)}"
    ),
    "mailgun": _shape(_prefix("ke" + "y-", HEX, 32)),
    "npm": _shape(_prefix("np" + "m_", BASE62, 36)),
    "pypi": _shape(_prefix("py" + "pi-AgEIcHlwaS5vcmc", WORD, 120)),
    "hugging face": _shape(_prefix("h" + "f_", string.ascii_letters, 34)),
    "groq": _shape(_prefix("gs" + "k_", BASE62, 52)),
    "discord": _shape(
        lambda rng: (
            f"M{_some(rng, BASE62, 23)}.{_some(rng, WORD, 6)}.{_some(rng, BASE62, 38)}"
        )
    ),
    "discord webhook": _said(
        lambda rng: f"{_some(rng, '123456789', 18)}/{_some(rng, WORD, 68)}",
        "alerts go to https://discord.com/api/" + "webhooks/{}",
    ),
    "telegram": _shape(
        lambda rng: f"{_some(rng, '123456789', 10)}:AA{_some(rng, WORD, 33)}"
    ),
    "digitalocean": _shape(_prefix("do" + "p_v1_", HEX, 64)),
    "heroku": _said(_uuid, "HEROKU_API_KEY={}", "the heroku api key is {}"),
    "shopify": _shape(_prefix("shp" + "at_", HEX, 32)),
    "square": _shape(_prefix("sq0" + "atp-", WORD, 22)),
    "linear": _shape(_prefix("lin_" + "api_", BASE62, 40)),
    "notion": _shape(
        _prefix("sec" + "ret_", BASE62, 43), _prefix("nt" + "n_", BASE62, 46)
    ),
    "databricks": _shape(_prefix("da" + "pi", HEX, 32)),
    "age": _shape(_prefix("AGE-" + "SECRET-KEY-1", UPPER, 58)),
    "pem": _key_block("PRIVATE KEY"),
    "openssh": _key_block("OPENSSH PRIVATE KEY"),
    "rsa": _key_block("RSA PRIVATE KEY"),
    "pgp": _key_block("PGP PRIVATE KEY BLOCK"),
    "jwt": _shape(_jwt),
    "bearer": _said(
        _token,
        "curl -H 'Authorization: Bearer {}' https://api.example.com/v1",
        "Authorization: Bearer {}",
        "send it with the header authorization: bearer {}",
    ),
    "basic": _basic,
    "url password": _said(
        _password,
        "postgres://ana:{}@db.example/app",
        "the broker is amqp://svc:{}@mq.internal:5672/",
        "mirror at https://deploy:{}@git.example.com/x.git",
    ),
    "url token": _said(
        _token,
        "https://api.example.com/v1/items?access_token={}&page=2",
        "webhook https://example.com/hook?token={}",
        "https://files.example.com/a.pdf?sig={}&se=2030",
    ),
    "connection string": _said(
        _password,
        "Server=db;Database=app;User Id=sa;Password={};Encrypt=true",
        "Driver=x;Uid=app;Pwd={};",
    ),
    "env": _said(
        _token,
        "export API_KEY={}",
        "GITLAB_TOKEN={}",
        'MY_CLIENT_SECRET="{}"',
        "SECRET_KEY='{}'",
    ),
    "env password": _said(_password, "DB_PASSWORD={}", "export PGPASSWORD='{}'"),
    "json": _said(
        _token,
        '{"api_key": "{}", "x": 1}',
        "{'accessToken': '{}'}",
        '"client_secret":"{}"',
    ),
    "json password": _said(
        _password, '{"user": "ana", "password": "{}"}', "{'passwd': '{}'}"
    ),
    "yaml": _said(
        _password,
        "db:\n  password: {}\n  host: x",
        "password: '{}'",
        "- **Password:** {}",
    ),
    "header": _said(
        _token, "X-Api-Key: {}", "PRIVATE-TOKEN: {}", "curl -H 'x-api-key: {}' u"
    ),
    "prose password": _said(
        _password,
        "the wifi password is {}",
        "My password is {}, do not tell anyone.",
        "Ana's password for the router is {}.",
        "the admin password was changed to {} last week",
        "password for staging: {}",
        'The password is "{}".',
        "Wi-Fi password: {}",
        "use the password `{}` for the NAS",
    ),
    "german": _said(
        _password,
        "mein Passwort lautet {}",
        "Das WLAN-Passwort ist {}.",
        "Kennwort: {}",
    ),
    "spanish": _said(
        _password,
        "la contraseña es {}",
        "La contraseña del wifi es {}.",
        "contraseña: {}",
    ),
    "french": _said(
        _password,
        "le mot de passe est {}",
        "Mot de passe : {}",
        "mon mot de passe, c'est {}.",
    ),
    "portuguese": _said(_password, "a senha é {}", "senha do wifi: {}"),
    "italian": _said(_password, "la password è {}", "la password del wifi è {}."),
    "dutch": _said(_password, "het wachtwoord is {}", "wachtwoord: {}"),
    "polish": _said(_password, "hasło to {}", "hasło do wifi: {}"),
    "russian": _said(_password, "пароль от вайфая — {}", "пароль: {}", "мой пароль {}"),
    "japanese": _said(_password, "パスワードは{}です", "WiFiのパスワード：{}"),
    "chinese": _said(_password, "密码是{}", "WiFi密码：{}", "我的密码是 {} 。"),
    "korean": _said(_password, "비밀번호는 {}입니다", "비밀번호: {}"),
    "prose token": _said(
        _token,
        "the API key is {}",
        "my access token is {} and it expires in June",
        "API key: {}",
        "client secret: {}",
    ),
    "pin": _said(
        _digits(4), "My PIN is {}.", "PIN: {}", "the pin code is {}", "SIM PIN {}"
    ),
    "recovery code": _said(
        _code, "backup code: {}", "My 2FA recovery codes are {}", "recovery code is {}"
    ),
    "door code": _said(_digits(6), "the door code is {}", "gate code: {}"),
    "seed phrase": _seed,
    "login": _said(
        _password,
        "login: ana / {}",
        "wifi: fernhill-guest / {}",
        "curl -u ana:{} https://x",
    ),
}

#: Lines that only talk about secrets, or only look random.
KEEP: Final = (
    "commit 3f2a9c0d1e4b5a6978877665544332211ffeeddc fixed it",
    "uuid 6f1e0c9a-4b7d-4c2e-9a51-0d3f2b1a7c88",
    "token budget is 4000",
    "API key lives in the vault, not here",
    "password hints: ask Ines",
    "path /srv/keys/README.md",
    "chat id 987654321012345678",
    "the password is in 1Password",
    "The password is stored in 1Password, item 42.",
    "password must be at least 12 characters",
    "Password: 12 characters minimum",
    "password: 8-64 characters, one digit",
    "the password is 16 characters long",
    "Passwords are hashed with bcrypt, cost 12.",
    "the password is SHA-256 hashed",
    "Password: required",
    "password is required",
    "the password is case-sensitive",
    "If the password is valid, the function returns a session.",
    "Whether the password is correct is checked by PAM.",
    "password: <your-password>",
    "password: changeme",
    "PASSWORD=changeme",
    "API_KEY=your-api-key-here",
    "OPENAI_API_KEY=sk-...",
    "OPENAI_API_KEY=sk-your-key-here-xxxxxxxxxxxx",
    "GITHUB_TOKEN=ghp_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX",
    "export SLACK_TOKEN=xoxb-your-token-here-000000000000",
    "api_key: ${OPENAI_API_KEY}",
    "api_key: $OPENAI_API_KEY",
    "apiKey: process.env.OPENAI_API_KEY",
    'api_key = os.environ["OPENAI_API_KEY"]',
    'token = os.getenv("SLACK_BOT_TOKEN")',
    "const token = req.headers.authorization?.split(' ')[1]",
    "password = getpass.getpass()",
    "password: str = Field(min_length=8)",
    "def login(user: str, password: str) -> bool:",
    "secret: Optional[str] = None",
    "token: {{ vault_github_token }}",
    "password: !vault wifi_password",
    "password: !secret wifi_password",
    "api_key: [redacted: api key]",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer YOUR_ACCESS_TOKEN",
    "Bearer authentication is used for the v2 API",
    "Basic authentication is off since 2024",
    "https://user:password@example.com/",
    "https://<user>:<token>@example.com/repo.git",
    "postgres://user:${DB_PASSWORD}@db/app",
    "postgres://app@db:5432/app",
    "git@github.com:ines/notes.git",
    "ssh://git@host.example:22/path",
    "http://localhost:3000?t=<token>",
    "see https://example.com/docs?page=2&sort=key",
    '"integrity": "sha512-9TnxEz3jWkWm0bq1Z0mXx4u7iY8k3q2b5n6m7o8p9q0r1s2t3u4v5w6x7y8z9A0B1C2D3E4F5G6H7I8J9K0LMNOPQ=="',
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    'checksum = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
    "key: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "cache key: user:123:profile:v2",
    "Session key: `telegram:88001122:1`",
    "primary key is user_id_2024",
    "the partition key is tenant#42#2024-05-01",
    "public key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE ana@host",
    "token model: meta-llama/Llama-3.1-8B-Instruct-Q4_K_M.gguf",
    "key model is sentence-transformers/all-MiniLM-L6-v2",
    "the model token is Qwen/Qwen2.5-Coder-32B-Instruct-GGUF",
    "token: claude-3-5-sonnet-20241022",
    "secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf",
    "api key: op://Private/OpenAI/credential",
    "secrets live in ~/.config/app/secrets.toml",
    "api key path: /run/secrets/api_key_2",
    "The API key is OPENAI_API_KEY in the environment",
    "max_tokens: 4096",
    "max_tokens=128000 for this model",
    "tokens: 12000 in, 800 out",
    '"js-tokens": "^3.0.0 || ^4.0.0"',
    '"jsonwebtoken": "^9.0.2"',
    "token_type: bearer",
    "password_hash_rounds: 12",
    "username/password combination.",
    "design token: color-blue-500",
    "the key point is that v2 ships in 2025",
    "Hold scipy at 1.14 in this container; a newer one breaks the build.",
    "GPIO pin: 13",
    "pin 27 drives the relay",
    "error code: 40012",
    "exit code is 127",
    "code review is on 2024-05-01",
    "zip code: 90210",
    "the area code is 415",
    "My secret is patience.",
    "The secret ingredient is saffron.",
    "the key is to stay calm",
    "Login: see the team page",
    "login: https://example.com/login",
    "credentials: ask Ines",
    "wifi: 2.4 GHz / 5 GHz",
    "recovery phrase is written on paper in the safe",
    "The seed phrase must never be stored in memory.",
    "Ana asked for the password twice on 2024-05-01 at 10:30",
    "keyboard layout is us-intl-2",
    "monkey123 is the test user's name",
    "compass: north-42",
    "bypass: 3 lines",
    "Das Passwort ist vergessen.",
    "La contraseña es obligatoria.",
    "Le mot de passe est obligatoire.",
    "パスワードは定期的に変更する",
    "密码是必填项",
    "请不要把密码写在这里",
    "пароль хранится в менеджере",
    f"The file starts with {DASHES}BEGIN PRIVATE KEY{DASHES} and is 1,704 bytes",
    f"{DASHES}BEGIN PRIVATE KEY{DASHES}\n...\n{DASHES}END PRIVATE KEY{DASHES}",
    "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ2x\n-----END CERTIFICATE-----",
    "sk-learn-contrib-package-for-model-selection-and-more",
    "the branch is task-1234-sk-refactor-the-billing-module",
    "AKIAIOSFODNN7EXAMPLE is the id that the AWS docs use",
    f"docker pull ghcr.io/org/app@sha256:{'9f86d081884c7d65' * 4}",
    "etag 33a64df551425fcc55e4d42a148795d9f25f89d4",
    "build 20241130.4-rc.1+g3f2a9c0",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    "id: 01HZX3K9V8W7Q6P5N4M3",
    "order SK-2024-000123 was shipped",
    "call +49 151 23456789 after 6",
    "iban DE89370400440532013000",
    "thread 1712345678.123456 in C02ABCDEF",
    "I forgot my password again and reset it on 3 May.",
    "my password is too weak",
    "the password is weak",
    "Ask for the login code when it arrives",
    "password: same as last year",
    "The token is OAuth2-based and refreshed hourly.",
    "the signing key is RSA-4096",
    "The API key is rotated every 90 days.",
    "API key: none needed",
    "Token: valid for 3600 seconds",
    "secret santa 2024 is Ben",
    "passport no. stays private",
    "hotkey: Ctrl+Shift+F12",
    "shortcut key is Ctrl+K",
    "color key: red = 1, blue = 2",
)
