"""Every check has one door: `nox -s <session>`; plain `nox` runs what CI runs."""

from __future__ import annotations

import os

import nox

nox.needs_version = ">=2025.2"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.download_python = "never"
# Behind a proxy the system's certificates count for uv too, as they do for pip.
os.environ.setdefault("UV_SYSTEM_CERTS", "1")
# Rewritten asserts are kept between runs.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
nox.options.reuse_existing_virtualenvs = True
nox.options.sessions = (
    "lint",
    "imports",
    "typing",
    "verifytypes",
    "coverage",
    "tests",
    "hosts",
    "docs",
    "guard",
    "package",
)

PYTHONS = ("3.11", "3.12", "3.13")
OLDEST = PYTHONS[0]

#: Two workers, and the one that is done first takes over from the other.
PYTEST = ("pytest", "-n", "2", "--dist", "worksteal")
#: The package with every framework that an adapter is for.
HOSTS = ".[anthropic,deepagents,langgraph,mcp,openai-agents,otel,pydantic-ai]"
#: An application, whose exact pins fit no other framework; its plugins need none of them.
HERMES = "hermes-agent==0.19.0"
PYPROJECT = nox.project.load_toml("pyproject.toml")


def install_hosts(session: nox.Session) -> None:
    """Install the frameworks, and what the adapters' tests need beside them."""
    session.install(HOSTS, *nox.project.dependency_groups(PYPROJECT, "hosts"))
    session.install("--no-deps", HERMES)


def install(session: nox.Session, *groups: str, package: bool = True) -> None:
    """Install dependency groups, and the package itself as users get it."""
    wanted = nox.project.dependency_groups(PYPROJECT, *groups)
    session.install(*wanted, *(["."] if package else []))


@nox.session(python=PYTHONS[1:])
def tests(session: nox.Session) -> None:
    """Run the default tests on the newer interpreters."""
    install(session, "test")
    session.run(*PYTEST, *session.posargs)


@nox.session(python=OLDEST)
def coverage(session: nox.Session) -> None:
    """Run the default tests on the oldest interpreter; every branch must be taken."""
    install(session, "test")
    session.run(*PYTEST, "--cov", "--cov-report=term", *session.posargs)


@nox.session(python=PYTHONS)
def tests_lowest(session: nox.Session) -> None:
    """Run the default tests with the oldest dependencies that are allowed."""
    session.install(*nox.project.dependency_groups(PYPROJECT, "test"))
    session.install("--resolution", "lowest-direct", ".")
    session.run(*PYTEST, *session.posargs)


@nox.session(python=OLDEST)
def faults(session: nox.Session) -> None:
    """Run the long forms: kills, full disks, link swappers, many processes."""
    install(session, "test")
    session.run(*PYTEST, "-m", "long", "-rs", *session.posargs)


@nox.session(python=OLDEST)
def bench(session: nox.Session) -> None:
    """Measure, as ratios in one run; nothing is asserted."""
    install(session, "test")
    for script in sorted(os.listdir("tests/bench")):  # noqa: PTH208 - names only
        if script.startswith("bench_") and script.endswith(".py"):
            session.run("python", f"tests/bench/{script}", *session.posargs)


@nox.session(python=OLDEST)
def guard(session: nox.Session) -> None:
    """Score the guard on our own attacks and on ETHOS_MEMORY_CORPORA if it is set."""
    install(session, "test")
    session.run("python", "tests/guard_evaluation.py", *session.posargs)


@nox.session(python=OLDEST)
def hosts(session: nox.Session) -> None:
    """Run the adapters and their how-to pages against the frameworks themselves."""
    install(session, "test")
    install_hosts(session)
    session.run(*PYTEST, "tests/adapters", "tests/docs", *session.posargs)


@nox.session(python=OLDEST)
def lint(session: nox.Session) -> None:
    """Check style and format."""
    install(session, "lint", package=False)
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session(python=OLDEST)
def imports(session: nox.Session) -> None:
    """Check that data flows one way through the layers."""
    install(session, "lint")
    session.run("lint-imports", "--no-logo", "--no-cache")


@nox.session(python=OLDEST)
def typing(session: nox.Session) -> None:
    """Check types in source, tests and this file; macOS by its platform flag."""
    install(session, "typing")
    session.run("mypy", "src", "tests", "noxfile.py")
    session.run("mypy", "--platform", "darwin", "src")


@nox.session(python=OLDEST)
def verifytypes(session: nox.Session) -> None:
    """Check that every public name is fully typed, adapters included."""
    install(session, "typing")
    install_hosts(session)
    session.run("pyright", "--verifytypes", "ethos_memory", "--ignoreexternal")


@nox.session(python=OLDEST)
def docs(session: nox.Session) -> None:
    """Build the documentation; every warning is an error."""
    install(session, "docs")
    session.run("sphinx-build", "-qnW", "--keep-going", "docs", "docs/_build")


@nox.session(python=OLDEST)
def package(session: nox.Session) -> None:
    """Build sdist and wheel, check them, and use the wheel in a bare environment."""
    install(session, "package", package=False)
    target = session.create_tmp()
    session.run("python", "-m", "build", "--outdir", f"{target}/dist", ".")
    built = [
        os.path.join(target, "dist", name)  # noqa: PTH118 - nox speaks text paths
        for name in os.listdir(f"{target}/dist")  # noqa: PTH208 - names only
    ]
    session.run("twine", "check", "--strict", *built)
    wheel = next(path for path in built if path.endswith(".whl"))
    session.run("check-wheel-contents", wheel)
    session.run("python", "-m", "venv", "--clear", f"{target}/bare")
    session.run(f"{target}/bare/bin/pip", "install", "-q", wheel, external=True)
    session.run(f"{target}/bare/bin/ethos-memory", "tour", external=True, silent=True)
