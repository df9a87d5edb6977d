"""BuildKit and a registry as processes of this machine, and images to build from, made of what is installed here."""

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
KEPT = ROOT / "target" / "engine"
PROGRAMS = KEPT / "bin"
REGISTRY = "localhost:5001"
ACCEPTED = ("application/vnd.oci.image.index.v1+json", "application/vnd.oci.image.manifest.v1+json")
MIRROR = "http://deb.debian.org/debian"
# The compiler's image has them; each as k8s/images/Dockerfile expects it.
PACKAGES = "ca-certificates,g++,make,cmake"


class Engine:
    """What is pulled and built is kept under target/engine, so that a second build takes what the first made."""

    def __init__(self, folder):
        self.folder = folder
        self.socket = folder / "buildkit.sock"
        self.running = []
        self.environment = os.environ | {
            "BUILDX_CONFIG": str(folder / "buildx"),
            "BUILDX": str(PROGRAMS / "buildx"),
            "BUILDER": "engine",
            "RUST_IMAGE": f"{REGISTRY}/base/rust:here",
            "NODE_IMAGE": f"{REGISTRY}/base/node:here",
            # Its scanner is an image of Docker Hub's.
            "SBOM": os.environ.get("SBOM", "false"),
        }

    @contextlib.contextmanager
    def served(self):
        try:
            start_registry(self.start, self.folder)
            self.wait("registry", lambda: answers(REGISTRY))
            self.start_builder()
            yield self
        finally:
            for process in reversed(self.running):
                process.terminate()
                process.wait(60)

    def start(self, name, *command, **options):
        with (self.folder / f"{name}.log").open("wb") as log:
            self.running.append(subprocess.Popen([str(word) for word in command], stdout=log, stderr=log, **options))

    def wait(self, name, condition):
        until = time.monotonic() + 60
        while not condition():
            assert self.running[-1].poll() is None and time.monotonic() < until, (self.folder / f"{name}.log").read_text()
            time.sleep(0.05)

    def start_builder(self):
        worker = ("--oci-worker-net=host", "--containerd-worker=false")
        places = (f"--root={KEPT / 'buildkit'}", f"--addr=unix://{self.socket}")
        self.start("buildkitd", PROGRAMS / "buildkitd", *places, *worker)
        self.wait("buildkitd", self.socket.exists)
        self.buildx("create", "--name=engine", "--driver=remote", f"unix://{self.socket}")

    def buildx(self, *words):
        subprocess.run([PROGRAMS / "buildx", *map(str, words)], env=self.environment, check=True)

    def push_bases(self):
        """Images with the compiler and with Node, once."""
        packed = KEPT / "debian" / "debian.tar"
        if not packed.exists():
            packed.parent.mkdir(exist_ok=True)
            pack_debian(packed)
        found = {"rust-here": run("rustc", "--print", "sysroot", cwd=ROOT), "npm-here": f"{run('npm', 'root', '-g')}/npm"}
        found["node-here"] = str(Path(run("node", "-p", "process.execPath")).parent)
        contexts = [f"--build-context={name}={folder}" for name, folder in found.items()]
        recipe = ROOT / "k8s" / "images" / "engine" / "Dockerfile"
        for name in ("rust", "node"):
            output = f"--output=type=image,name={REGISTRY}/base/{name}:here,push=true,compression=uncompressed"
            given = ("--builder=engine", f"--file={recipe}", f"--target={name}", "--provenance=false")
            self.buildx("build", packed.parent, *given, *contexts, output)

    def build(self):
        """What `make images` does."""
        subprocess.run([ROOT / "k8s" / "images" / "build"], env=self.environment, check=True)


def start_registry(start, folder):
    """A registry over what is kept, its settings in `folder`."""
    config = folder / "registry.json"
    storage = {"filesystem": {"rootdirectory": str(KEPT / "registry")}}
    settings = {"version": "0.1", "log": {"level": "warn"}, "storage": storage, "http": {"addr": REGISTRY}}
    # JSON is YAML.
    config.write_text(json.dumps(settings))
    start("registry", PROGRAMS / "registry", "serve", config)


def answers(address):
    try:
        with urllib.request.urlopen(f"http://{address}/v2/", timeout=5):
            return True
    except (urllib.error.URLError, OSError):
        return False


def run(*words, **options):
    return subprocess.run(words, check=True, capture_output=True, text=True, **options).stdout.strip()


def pack_debian(packed):
    """This machine's release of Debian as an archive, with this machine's authorities."""
    release = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line)
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "root"
        subprocess.run(["debootstrap", "--variant=minbase", f"--include={PACKAGES}", release["VERSION_CODENAME"], root, MIRROR], check=True, stdout=subprocess.DEVNULL)
        authorities = Path("etc/ssl/certs/ca-certificates.crt")
        shutil.copy(Path("/") / authorities, root / authorities)
        made = packed.with_suffix(".new")
        run("tar", "-C", root, "--exclude=./dev/*", "--exclude=./var/cache/apt/archives/*.deb", "-cf", made, ".")
        made.rename(packed)


def get(repository, kind, digest):
    request = urllib.request.Request(f"http://{REGISTRY}/v2/{repository}/{kind}/{digest}", headers={"Accept": ", ".join(ACCEPTED)})
    with urllib.request.urlopen(request, timeout=60) as response:
        return response.read()
