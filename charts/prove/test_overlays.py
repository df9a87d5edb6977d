"""What stands under k8s/ beside the chart, on a real API server."""

import shutil

import pytest
from control_plane import PROGRAMS
from release import Release, as_yaml
from rendering import CHARTS, ROOT, load_all

# Operators' resources, whose fields `make chart` holds: admitted where their operators are installed.
NOT_SERVED = {"Cluster", "ScheduledBackup", "Redis"}


@pytest.fixture(scope="module")
def release(plane):
    """The namespace that both overlays name, under the restricted level, with the secrets that they expect."""
    release = Release(plane, "prod", "frontdesk")
    release.prepare()
    release.make_secret("frontdesk-superuser", ["username", "password"])
    yield release
    release.discard()


def built(release, overlay, tmp_path):
    """The overlay as kustomize and Helm make it; digests come from the file that `make images` writes."""
    tree = tmp_path / "tree"
    for folder in ("k8s", "charts/frontdesk"):
        shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("charts/*.tgz"))
    (tree / "target" / "images").mkdir(parents=True)
    shutil.copy(CHARTS / "tests" / "digests.yaml", tree / "target" / "images" / "values.yaml")
    words = ["--enable-helm", f"--helm-command={PROGRAMS / 'helm'}", "--load-restrictor=LoadRestrictionsNone"]
    return [entry for entry in load_all(release.kubectl("kustomize", tree / "k8s" / "overlays" / overlay, *words)) if entry]


@pytest.mark.parametrize("overlay", ["dev", "prod"])
def test_an_overlay_is_admitted_under_the_restricted_level_and_held_as_it_is(release, overlay, tmp_path):
    # The namespace of its own asks for less, for the operators' databases.
    left_out = NOT_SERVED | {"Namespace"}
    entries = as_yaml([entry for entry in built(release, overlay, tmp_path) if entry["kind"] not in left_out])
    release.kubectl("apply", "--server-side", "-f", "-", given=entries)
    assert "would violate" not in release.said, release.said
    assert release.differences("-", given=entries) == ""
    release.settle()
    assert all(release.pods(component) for component in ("auth", "browser", "voice"))
    release.kubectl("delete", "--wait=true", "-f", "-", given=entries)


@pytest.mark.parametrize("name", ["postgres/bootstrap.yaml", "kind/databases.yaml", "examples/issuer.yaml", "examples/policies.yaml"])
def test_a_plain_manifest_is_admitted_under_the_restricted_level(release, name):
    release.kubectl("apply", "--server-side", "-f", ROOT / "k8s" / name)
    assert "would violate" not in release.said, release.said
    assert release.differences(ROOT / "k8s" / name) == ""
    release.kubectl("delete", "--wait=true", "-f", ROOT / "k8s" / name)
