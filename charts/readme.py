#!/usr/bin/env python3
"""Writes charts/frontdesk/README.md: README.tmpl.md with a table of values.yaml and one of who calls whom.

The comment `# -- …` above a key becomes its description; who calls whom is in files/components.yaml. `--check` writes nothing and fails
where the file would change.
"""

import json
import re
import sys
from pathlib import Path

import yaml

CHART = Path(__file__).parent / "frontdesk"
MARK = "<!-- values -->\n"
ARROWS = "<!-- arrows -->\n"
# What lies beyond the installation, in the words of components.yaml.
OUTSIDE = {
    "calendars": "calendars and booking systems of others",
    "identityProvider": "the identity provider, where there is one",
    "mail": "the mail server",
    "model": "the agent's model, where there is one",
    "recordings": "the recordings' store and the platforms that have them, where there is a store",
    "voicePlatforms": "the voice platforms",
}


def described(lines):
    """Yields (path, description) for each key under a `# --` comment."""
    stack, comment = [], None
    for line in lines:
        if match := re.match(r"\s*# -- (.*)", line):
            comment = match[1]
        elif match := re.match(r"( *)([-\w]+):", line):
            depth = len(match[1]) // 2
            stack[depth:] = [match[2]]
            if comment is not None:
                yield tuple(stack), comment
                comment = None


def default(values, path):
    for key in path:
        values = values[key]
    return values


def leaves(values, known, path=()):
    """Paths of values that no comment covers."""
    if path in known:
        return
    if isinstance(values, dict) and values:
        for key, value in values.items():
            yield from leaves(value, known, (*path, key))
    else:
        yield path


def arrows():
    """Who may call whom, as the policies are rendered."""
    components = yaml.safe_load((CHART / "files" / "components.yaml").read_text())
    yield "| from | to |"
    yield "| --- | --- |"
    yield "| your ingress controller or gateway (`networkPolicy.doors`) | both doors, 8080 |"
    for name, facts in components.items():
        door = " door" if facts["kind"] == "door" else ""
        beyond = [OUTSIDE[place] for place in facts.get("outside", [])]
        yield f"| {name}{door} | {'; '.join([', '.join(facts['peers']), *beyond])} |"
    yield "| every service | its database, Redis |"
    yield "| all | DNS; the collector, or your OTLP endpoint |"


def readme():
    text = (CHART / "values.yaml").read_text()
    values = yaml.safe_load(text)
    rows = dict(described(text.splitlines()))
    if bare := sorted(".".join(path) for path in leaves(values, rows)):
        raise SystemExit(f"values.yaml: without a `# --` comment: {', '.join(bare)}")
    table = ["| value | default | |", "| --- | --- | --- |"]
    for path, comment in rows.items():
        shown = json.dumps(default(values, path), ensure_ascii=False)
        table.append(f"| `{'.'.join(path)}` | `{shown}` | {comment} |".replace("|`|", r"\|"))
    prose = (CHART / "README.tmpl.md").read_text().replace(ARROWS, "\n".join(arrows()) + "\n")
    return "<!-- Written by charts/readme.py from README.tmpl.md and values.yaml. -->\n" + prose.replace(
        MARK, "\n".join(table) + "\n"
    )


if __name__ == "__main__":
    wanted, path = readme(), CHART / "README.md"
    if "--check" in sys.argv[1:]:
        if not path.exists() or path.read_text() != wanted:
            raise SystemExit(f"{path} is out of date: run charts/readme.py")
    else:
        path.write_text(wanted)
