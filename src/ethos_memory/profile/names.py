"""Names of things that everybody may know: tools, languages, methods, units.

A capital letter inside a sentence may be a person or a place. What stands here is
neither; a name that does not stand here is not kept.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

__all__ = ["is_public_name", "private_looking"]

_PUBLIC_TEXT: Final = """
ada airflow ajax alpine amazon android angular ansible apache apl arch arduino
astro audacity autocad awk aws azure babel bash basic bayesian bazel bazaar bash
bitbucket blender bluetooth boolean bootstrap bsd bun cad camel cargo cassandra
celery celsius centos ceph chrome circleci clang clickhouse clojure cloudflare
cmake cobol conda confluence consul copilot cornell couchdb cpython cron crystal
css cuda curl cypress cython dart darktable dask databricks datadog dbt debian
deno dijkstra django docker dockerfile doxygen draw dremel drupal duckdb dvorak
dynamodb eclipse edge eiffel elastic elasticsearch electron elixir elm emacs
ember erlang esbuild eslint ethernet excel express fahrenheit fastapi fedora
figma firebase firefox fish flask flink flutter forth fortran fourier freebsd
gatsby gauss gaussian gcc gherkin ghostscript gimp git github gitlab gnome gnu
godot go golang google gradle grafana graphite graphql groovy grpc gui gulp
hadoop haskell haskell's helm helix heroku hibernate hive homebrew html http
hugo hypothesis illustrator inkscape insomnia intellij ios ipad iphone istio
jakarta java javascript jekyll jenkins jest jetbrains jinja jira julia junit
jupyter jvm k8s kafka kanban kde keras kernel kibana kotlin kubernetes lambda
laravel latex lambda less lightroom linear linkerd linux lisp llvm logstash lua
lucene luigi mac macos magit makefile malloc mariadb markdown markov mastodon
matlab matplotlib maven mediawiki memcached mercurial mermaid meson micropython
microsoft minikube minio ml mockito mongo mongodb monte mozilla mqtt msbuild
mssql mui musescore mypy mysql nano neo4j neovim netlify next nginx nim ninja
nix nixos node nomad notebook notion npm nuget numpy nuxt nvidia nvim obsidian
ocaml octave office onenote opencl opencv opengl openshift opentype oracle osx
outlook pandas pandoc parquet pascal perl php photoshop pillow pip plotly pnpm
poetry polars postgis postgres postgresql postman powerpoint powershell prettier
prisma prolog prometheus proxmox psycopg pulsar pulumi puppet pycharm pydantic
pylint pypi pyright pytest python pytorch qgis qt quarkus quickbooks qwerty r
rabbitmq racket rails raku raspberry react reaper redis redshift redux remix
riak rollup rspec rstudio ruby ruff rust sass salesforce scala scheme scikit
scipy scrum scss seaborn sed selenium sentry shell sinatra sketch slack
smalltalk snowflake snyk solaris solid solidity solr sonar spark sphinx splunk
spring sql sqlalchemy sqlite stata storybook stripe sublime subversion supabase
svelte sveltekit svg swift swiftui swagger symfony systemd tableau tailwind tcl
tcp tensorflow terraform tex thunderbird tmux tokio toml torch traefik trello
typescript typst ubuntu udp unicode unity unix unreal utc utf vault vba vercel
vim visual vite vitest vue vuex wasm webassembly webgl webpack wayland webstorm
wikipedia windows word wordpress code x11 xcode xml yaml yarn zig zod zookeeper
zotero zsh english german french spanish italian portuguese dutch chinese
japanese korean russian arabic latin greek polish swedish turkish ukrainian
british american oxford apa chicago harvard mla vancouver celsius kelvin kanban
pomodoro zettelkasten bauhaus agile monday tuesday wednesday thursday friday
saturday sunday january february march april may june july august september
october november december montag freitag bayes occam moore conway gang liskov
solid dry kiss yagni crud rest api baroque renaissance gothic helvetica arial
garamond times futura lilypond ableton logic kodak ilford leica nikon canon
fujifilm
"""


@cache
def _public() -> frozenset[str]:
    return frozenset(_PUBLIC_TEXT.split())


#: What only a machine's name looks like: ef_construction, useEffect, BM25, mmol/L, C++.
_TECHNICAL: Final = re.compile(
    r"[A-HJ-Z]|[A-Z]{2,}s?|\w*[a-z][A-Z]\w*|\w*[_+#/\\]\S*|[A-Za-z]*\d[\w.]*|\S*[()`]\S*"
)
_TOKEN: Final = re.compile(r"`[^`]*`|[\w'+#/.-]*\w[\w'+#/()-]*", re.UNICODE)
_ENDINGS: Final = re.compile(r"(?:'s|[.,:;!?]+)$")


def is_public_name(token: str) -> bool:
    """Tell whether a word with a capital is a tool, a language or a term."""
    bare = _ENDINGS.sub("", token.strip("\"'()[]"))
    parts = [part for part in bare.split("-") if part]
    return bool(_TECHNICAL.fullmatch(bare)) or any(
        part.lower() in _public() for part in parts
    )


def private_looking(text: str) -> tuple[str, ...]:
    """Return the words with a capital, inside a sentence, that may be names.

    Args:
        text: One clause; its first word is not judged.
    """
    found = []
    for match in _TOKEN.finditer(text):
        word = match.group()
        before = text[: match.start()].rstrip(" \"'(")
        is_first = not before or before[-1] in ".!?:\u2026"
        is_pronoun = word == "I" or word.startswith("I'")
        if is_first or is_pronoun or not word[0].isupper():
            continue
        if not is_public_name(word):
            found.append(word)
    return tuple(found)
