"""The images that `make images` builds: what is in them, and that each starts as the chart would start it."""

import io
import json
import re
import subprocess
import tarfile
import tempfile
import zlib
from pathlib import Path

import pytest
from engine import ROOT, Engine, get, run
from rendering import IMAGES, read

LIMIT = 40 * 1024 * 1024
USER = 65532
# What a program may bring: itself, what it is linked to, the authorities, its user, and for the doors the page.
EXPECTED = re.compile(
    r"usr/local/bin/[a-z-]+|lib(64)?/([\w-]+/)?[\w.+-]+\.so[\d.]*|etc/(passwd|group|nsswitch\.conf|ssl/certs/ca-certificates\.crt)"
    r"|srv/web/.+|usr/share/sbom/page\.spdx\.json"
)


class Image:
    """An image out of the registry, by its digest."""

    def __init__(self, registry, name, digest):
        self.name = name
        self.repository = f"{registry.partition('/')[2]}/{name}"
        self.index = json.loads(get(self.repository, "manifests", digest))
        manifests = self.index["manifests"]
        (chosen,) = [entry for entry in manifests if entry["platform"]["os"] == "linux"]
        self.manifest = json.loads(get(self.repository, "manifests", chosen["digest"]))
        self.config = json.loads(get(self.repository, "blobs", self.manifest["config"]["digest"]))
        self.layers = [get(self.repository, "blobs", layer["digest"]) for layer in self.manifest["layers"]]
        self.packed = sum(map(len, self.layers))
        attested = [entry for entry in manifests if entry["platform"]["os"] == "unknown"]
        self.attestations = [json.loads(get(self.repository, "manifests", entry["digest"])) for entry in attested]

    def unpack(self, root):
        for layer in self.layers:
            with tarfile.open(fileobj=io.BytesIO(layer)) as tar:
                # With the modes that pods see.
                tar.extractall(root, filter="fully_trusted")


@pytest.fixture(scope="module")
def images():
    """All six, each unpacked."""
    with tempfile.TemporaryDirectory() as name, Engine(Path(name)).served() as engine:
        engine.push_bases()
        revision = run("git", "rev-parse", "HEAD", cwd=ROOT)
        engine.build()
        given = read(ROOT / "target" / "images" / "values.yaml")["image"]
        assert given["digests"].keys() == IMAGES
        found = [Image(given["registry"], image, digest) for image, digest in given["digests"].items()]
        for image in found:
            image.revision = revision
            image.root = Path(name) / "roots" / image.name
            image.root.mkdir(parents=True)
            image.unpack(image.root)
            size = (image.root / "usr/local/bin" / image.name).stat().st_size
            print(f"{image.name}: {image.packed / 1e6:.1f} MB packed, the program {size / 1e6:.1f} MB")
        yield {image.name: image for image in found}


@pytest.fixture(params=sorted(IMAGES))
def image(request, images):
    return images[request.param]


def files(image):
    return [path for path in image.root.rglob("*") if not path.is_dir() or path.is_symlink()]


def test_holds_its_program_and_what_it_is_linked_to(image):
    names = [str(path.relative_to(image.root)) for path in files(image)]
    assert [name for name in names if not EXPECTED.fullmatch(name)] == []
    assert [name for name in names if name.startswith("usr/local/bin/")] == [f"usr/local/bin/{image.name}"]
    # One program, the loader apart: no shell.
    started = [path for path in files(image) if path.stat().st_mode & 0o111 and ".so" not in path.name]
    assert [path.name for path in started] == [image.name]
    assert (image.root / "usr/local/bin" / image.name).stat().st_size < LIMIT


def test_the_page_is_in_the_doors_image_alone(image):
    assert (image.root / "srv/web/index.html").exists() == (image.name == "bff")
    assert not any(path.is_symlink() for path in files(image))


def test_says_what_it_is_and_runs_as_no_root(image):
    said = image.config["config"]
    assert said["User"] == f"{USER}:{USER}" and said["Entrypoint"] == [f"/usr/local/bin/{image.name}"]
    labels = {name.removeprefix("org.opencontainers.image."): text for name, text in said["Labels"].items()}
    assert labels["revision"] == image.revision and labels["vendor"] == "Frontdesk"
    assert labels["title"].startswith("frontdesk ") and labels["description"] and labels["version"]
    for path in image.root.rglob("*"):
        assert path.stat().st_mode & 0o7022 == 0, f"{path} may be changed by others, or changes who runs it"


def test_has_a_provenance(image):
    (attestation,) = image.attestations
    predicates = {layer["annotations"]["in-toto.io/predicate-type"]: layer for layer in attestation["layers"]}
    (provenance,) = [layer for predicate, layer in predicates.items() if "slsa.dev/provenance" in predicate]
    said = json.loads(get(image.repository, "blobs", provenance["digest"]))
    assert image.name in json.dumps(said["predicate"])


def test_the_program_names_its_crates(image, tmp_path):
    """What scanners read, BuildKit's own among them."""
    program = image.root / "usr/local/bin" / image.name
    section = tmp_path / "crates"
    subprocess.run(["objcopy", f"--dump-section=.dep-v0={section}", program, tmp_path / "copy"], check=True)
    crates = {crate["name"]: crate for crate in json.loads(zlib.decompress(section.read_bytes()))["packages"]}
    assert {image.name, "tokio", "tonic", "rustls"} <= crates.keys()
    locked = (ROOT / "Cargo.lock").read_text()
    for name, crate in crates.items():
        assert f'name = "{name}"\nversion = ' in locked and crate["version"]


def test_the_page_names_its_packages(images):
    listed = json.loads((images["bff"].root / "usr/share/sbom/page.spdx.json").read_text())
    names = {package["name"] for package in listed["packages"]}
    assert {"react", "react-dom", "react-router", "zod"} <= names


def start(image, *arguments, environment=(), folder):
    """Runs the image's program as the chart's pods do: its user, no capability, nothing to write to."""
    bundle = folder / "bundle"
    bundle.mkdir()
    subprocess.run(["runc", "spec"], cwd=bundle, check=True)
    config = json.loads((bundle / "config.json").read_text())
    config["root"] = {"path": str(image.root), "readonly": True}
    process = config["process"]
    process |= {"terminal": False, "user": {"uid": USER, "gid": USER}, "cwd": "/", "noNewPrivileges": True}
    process["args"] = [*image.config["config"]["Entrypoint"], *arguments]
    process["env"] = [*image.config["config"]["Env"], *environment]
    process["capabilities"] = {kind: [] for kind in process["capabilities"]}
    (bundle / "config.json").write_text(json.dumps(config))
    command = ["runc", "--root", folder / "runc", "run", "--bundle", bundle, f"proof-{image.name}"]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60)


def test_starts_on_a_read_only_root_and_names_what_is_missing(image, tmp_path):
    ended = start(image, folder=tmp_path)
    assert ended.returncode != 0
    assert re.search(r"[A-Z]+_[A-Z_]+", ended.stdout + ended.stderr), ended
