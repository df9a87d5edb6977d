"""The Dockerfile builds the images that the chart names, and no image holds more than its program."""

import os
import re
import shutil
import subprocess

import pytest

from rendering import COMPONENTS, IMAGES, ROOT

DOCKERFILE = (ROOT / "k8s" / "images" / "Dockerfile").read_text()
STAGES = dict(re.findall(r"^FROM \S+ AS (\S+)\n(.*?)(?=^FROM |\Z)", DOCKERFILE, re.M | re.S))


def test_there_is_a_target_for_every_image():
    assert STAGES.keys() - {"page", "programs", "base"} == IMAGES
    built = re.search(r"^for image in (.*); do$", (ROOT / "k8s" / "images" / "build").read_text(), re.M)[1]
    assert set(built.split()) == IMAGES


def test_final_stages_start_from_nothing_and_run_as_no_root():
    assert re.search(r"^FROM scratch AS base$", DOCKERFILE, re.M) and "USER 65532:65532" in STAGES["base"]
    for image in IMAGES:
        assert re.search(rf"^FROM base AS {image}$", DOCKERFILE, re.M), image
        assert "RUN" not in STAGES[image] and f'ENTRYPOINT ["/usr/local/bin/{image}"]' in STAGES[image]
        assert f"COPY --from=programs /root-of/{image} /\n" in STAGES[image]


def test_every_program_is_built_from_the_lock_file():
    build = re.search(r"cargo auditable build --release --locked (.*?) \\", STAGES["programs"])[1]
    assert set(re.findall(r"-p (\S+)", build)) == IMAGES


def test_the_page_is_where_the_browser_door_looks():
    web = [facts for facts in COMPONENTS.values() if facts.get("web")]
    assert [facts["image"] for facts in web] == ["bff"]
    assert "COPY --from=page /src/web/dist/production /srv/web" in STAGES["bff"]


def test_the_compiler_is_as_new_as_the_workspace_wants():
    wanted = re.search(r'^rust-version = "([\d.]+)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]
    assert f"library/rust:{wanted}-" in DOCKERFILE


def test_all_crates_are_in_the_build_context():
    ignored = (ROOT / "k8s" / "images" / "Dockerfile.dockerignore").read_text().splitlines()
    members = re.findall(
        r'^    "([^"]+)",$', re.search(r"members = \[(.*?)\]", (ROOT / "Cargo.toml").read_text(), re.S)[1], re.M
    )
    for member in members:
        assert f"!{member.partition('/')[0]}" in ignored and f"COPY {member.partition('/')[0]} " in STAGES["programs"]


# Stands in for buildx: tags have digests, and each build is written down.
BUILDX = """#!/bin/sh
case "$1" in
  version) ;;
  imagetools) echo "sha256:$(printf %s "$3" | sha256sum | cut -c1-64)" ;;
  build)
    echo "$*" >>"$ROOT/builds"
    while [ "$1" != --metadata-file ]; do shift; done
    printf '{"containerimage.digest": "sha256:%s"}' built >"$2" ;;
esac
"""


@pytest.fixture
def tree(tmp_path):
    """The script of `make images` in a tree of its own."""
    (tmp_path / "k8s" / "images").mkdir(parents=True)
    for name in ("build", "Dockerfile"):
        shutil.copy(ROOT / "k8s" / "images" / name, tmp_path / "k8s" / "images")
    for name, script in (("buildx", BUILDX), ("git", "#!/bin/sh\necho 4711\n")):
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)
    return tmp_path


def build(tree, *arguments, **environment):
    more = {"PATH": f"{tree}:{os.environ['PATH']}", "BUILDX": str(tree / "buildx"), "BUILDER": "ours", "ROOT": str(tree)}
    command = [tree / "k8s" / "images" / "build", *arguments]
    return subprocess.run(command, env=os.environ | more | environment, capture_output=True, text=True)


def bases(tree):
    """What each build was told to build from."""
    return [dict(re.findall(r"--build-arg (\w+_IMAGE)=(\S+)", line)) for line in (tree / "builds").read_text().splitlines()]


def test_all_images_are_built_from_the_same_digests(tree):
    assert build(tree).returncode == 0
    found = bases(tree)
    assert len(found) == len(IMAGES) and all(entry == found[0] for entry in found)
    for name, image in found[0].items():
        tag = re.search(rf"^ARG {name}=(\S+)$", DOCKERFILE, re.M)[1]
        assert re.fullmatch(re.escape(tag) + r"@sha256:[0-9a-f]{64}", image)
    assert found[0].keys() == {"RUST_IMAGE", "NODE_IMAGE"}


def test_what_is_pinned_is_built_from_until_the_dockerfile_names_another_tag(tree):
    assert build(tree, "--pin").returncode == 0
    pinned = tree / "k8s" / "images" / "bases"
    assert not (tree / "builds").exists()
    pinned.write_text(re.sub(r"sha256:\w+", "sha256:" + "a" * 64, pinned.read_text()))
    assert build(tree, NODE_IMAGE="registry.example.com/node:ours").returncode == 0
    (first, *_) = bases(tree)
    assert first["RUST_IMAGE"].endswith("@sha256:" + "a" * 64)
    assert first["NODE_IMAGE"] == "registry.example.com/node:ours"
    dockerfile = tree / "k8s" / "images" / "Dockerfile"
    dockerfile.write_text(dockerfile.read_text().replace("rust:1.", "rust:2."))
    refused = build(tree)
    assert refused.returncode != 0 and "run k8s/images/build --pin" in refused.stderr
