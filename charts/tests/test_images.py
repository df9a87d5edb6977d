"""The Dockerfile builds the images that the chart names, and no image holds more than its program."""

import re

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
