"""Passport keys are made and exchanged without a moment in which a call would be refused."""

import json
import re
import subprocess

import pytest

import rust
from rendering import COMPONENTS, ROOT

SCRIPT = ROOT / "k8s" / "keyrings.mjs"


def run(command, directory, check=True):
    return subprocess.run(["node", SCRIPT, command, directory], check=check, capture_output=True, text=True)


def rings(directory):
    return {path.stem: json.loads(path.read_text()) for path in directory.glob("*.json") if path.stem != "next"}


def believe_one_another(before, after):
    """Whether every service of one state believes every service of the other."""
    return all(
        {"kid": signer["signing"]["kid"], "issuer": name}
        in [{key: entry[key] for key in ("kid", "issuer")} for entry in verifier["trusted"]]
        for name, signer in before.items()
        for verifier in after.values()
    )


def test_a_rotation_refuses_no_call(tmp_path):
    directory = tmp_path / "keys"
    run("new", directory)
    states = [rings(directory)]
    for command in ("add", "switch", "retire"):
        run(command, directory)
        states.append(rings(directory))
    # During a rollout, pods of both states call one another.
    for before, after in zip(states, states[1:], strict=False):
        assert believe_one_another(before, after) and believe_one_another(after, before)
    first, last = states[0], states[-1]
    for name in first:
        assert first[name]["signing"] != last[name]["signing"]
        assert {entry["kid"] for entry in last[name]["trusted"]}.isdisjoint(
            entry["kid"] for entry in first[name]["trusted"]
        )
    assert not (directory / "next.json").exists()
    assert all(path.stat().st_mode & 0o077 == 0 for path in directory.iterdir())


def test_there_is_a_keyring_for_every_program_in_the_form_that_is_read(tmp_path):
    run("new", tmp_path / "keys")
    made = rings(tmp_path / "keys")
    assert made.keys() == {facts["image"] for facts in COMPONENTS.values()}
    source = rust.text(rust.CRATES["caller"] / "src" / "keys.rs")
    for struct, entry in [
        ("KeyringFile", made["auth"]),
        ("SigningSeed", made["auth"]["signing"]),
        ("TrustedKey", made["auth"]["trusted"][0]),
    ]:
        body = re.search(rf"struct {struct} \{{(.*?)\n\}}", source, re.S)[1]
        assert set(re.findall(r"^    (?:pub )?(\w+):", body, re.M)) == entry.keys()


def test_a_public_key_is_that_of_its_seed(tmp_path):
    """RFC 8032, 7.1, test 1."""
    seed = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"
    program = f"import {{ publicKey }} from '{SCRIPT}'; console.log(publicKey('{seed}'))"
    said = subprocess.run(
        ["node", "--input-type=module", "-e", program], check=True, capture_output=True, text=True, cwd=tmp_path
    )
    assert said.stdout.strip() == "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"


@pytest.mark.parametrize("steps", [["new", "new"], ["new", "switch"], ["new", "add", "add"], ["new", "add", "retire"]])
def test_steps_out_of_order_are_refused_and_change_nothing(tmp_path, steps):
    directory = tmp_path / "keys"
    for command in steps[:-1]:
        run(command, directory)
    before = rings(directory)
    assert run(steps[-1], directory, check=False).returncode == 1
    assert rings(directory) == before
