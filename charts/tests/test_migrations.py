"""Migrations only add: the release before serves on the newer schema, during a rollout and after a rollback."""

import re

import pytest

import rust
from rendering import SERVICES

# What a program of the release before reads or writes is gone, named otherwise, or refused where it was taken.
CONTRACTS = {
    "a table goes": r"\bDROP TABLE\b",
    "a column goes": r"\bDROP COLUMN\b|\bDROP (?!(CONSTRAINT|INDEX|TRIGGER|FUNCTION|POLICY|DEFAULT|NOT|EXPRESSION|TABLE|COLUMN)\b)\w+",
    "something has another name": r"\bRENAME (TO|COLUMN|CONSTRAINT)\b|\bRENAME \w+ TO\b",
    "a column has another type": r"\bALTER (COLUMN )?\w+ (SET DATA )?TYPE\b",
    "a column must be filled": r"\bSET NOT NULL\b",
    "a default goes": r"\bDROP DEFAULT\b",
    "a right goes": r"\bREVOKE\b",
}
# Steps that take something away, by file and statement: what a release before no longer needed. Say which release left it.
LEFT_BEFORE = {}
each = pytest.mark.parametrize("service", SERVICES)


def steps(service):
    """(file, SQL without comments) of every migration but the first."""
    crate = rust.CRATES[service] / "src"
    for path in sorted(crate.glob("migration/**/*.sql")):
        if not any(part.startswith("m0001_") for part in path.relative_to(crate).parts):
            yield path.name, re.sub(r"--.*", "", path.read_text())
    # Short steps stand in the list itself; the rights that it takes are those of tables that are made beside.
    yield "migration.rs", re.sub(r"\bREVOKE\b", "", rust.code(crate / "migration.rs"))


def unfilled(sql):
    """Columns that are added, must be filled, and fill themselves with nothing."""
    for found in re.finditer(r"\bADD COLUMN (IF NOT EXISTS )?(?P<name>\w+) ", sql):
        # To the comma or semicolon that ends the definition, past those in brackets.
        definition, depth = "", 0
        for character in sql[found.end() :]:
            depth += (character == "(") - (character == ")")
            if character in ",;" and depth == 0:
                break
            definition += character
        if re.search(r"\bNOT NULL\b", definition) and not re.search(r"\b(DEFAULT|GENERATED)\b", definition):
            yield found["name"]


@each
def test_a_step_takes_nothing_away_that_the_release_before_uses(service):
    found = {
        f"{service}/{name}: {what}"
        for name, sql in steps(service)
        for what, pattern in CONTRACTS.items()
        if re.search(pattern, sql, re.I)
    } | {f"{service}/{name}: {column} must be filled" for name, sql in steps(service) for column in unfilled(sql)}
    assert found == {known for known in LEFT_BEFORE if known.startswith(f"{service}/")}
    assert len(list(steps(service))) > 3


def test_what_is_looked_for_is_found():
    for what, statement in {
        "a table goes": "DROP TABLE told;",
        "a column goes": "ALTER TABLE visit DROP note;",
        "something has another name": "ALTER TABLE visit RENAME note TO notes;",
        "a column has another type": "ALTER TABLE visit ALTER COLUMN note TYPE integer;",
        "a column must be filled": "ALTER TABLE visit ALTER note SET NOT NULL;",
        "a default goes": "ALTER TABLE visit ALTER note DROP DEFAULT;",
        "a right goes": "REVOKE UPDATE ON visit FROM scheduling_app;",
    }.items():
        assert [name for name, pattern in CONTRACTS.items() if re.search(pattern, statement, re.I)] == [what]
    added = "ADD COLUMN a text NOT NULL, ADD COLUMN b numeric(4, 2) NOT NULL DEFAULT 0, ADD COLUMN c text CHECK (c IS NOT NULL);"
    assert list(unfilled(f"ALTER TABLE visit {added}")) == ["a", "c"]
