"""Images as archives, without a container engine: the program, its libraries, a user, the page, as k8s/images/Dockerfile has it."""

import hashlib
import io
import json
import re
import subprocess
import tarfile

IMAGE = "application/vnd.oci.image"


def digest(content):
    return "sha256:" + hashlib.sha256(content).hexdigest()


def libraries(program):
    said = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    return re.findall(r"(/\S+)", said)


def layer(files, texts=()):
    """A layer with files of this machine at other places, and files of these texts."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", dereference=True) as tar:
        for source, place in files:
            tar.add(source, place.lstrip("/"), filter=readable)
        for place, text in texts:
            entry = tarfile.TarInfo(place.lstrip("/"))
            entry.size, entry.mode = len(text), 0o644
            tar.addfile(entry, io.BytesIO(text.encode()))
    return packed.getvalue()


def readable(entry):
    entry.uid = entry.gid = 0
    entry.mode |= 0o555 if entry.isdir() or entry.mode & 0o100 else 0o444
    return entry


def archive(path, name, content, entrypoint):
    """Writes an image of one layer, to be imported as `name`; its digest."""
    config = {
        "architecture": "amd64",
        "os": "linux",
        "config": {"Entrypoint": entrypoint, "User": "65532:65532"},
        "rootfs": {"type": "layers", "diff_ids": [digest(content)]},
    }
    config = json.dumps(config).encode()
    manifest = {
        "schemaVersion": 2,
        "mediaType": f"{IMAGE}.manifest.v1+json",
        "config": described(config, "config.v1+json"),
        "layers": [described(content, "layer.v1.tar")],
    }
    manifest = json.dumps(manifest).encode()
    named = described(manifest, "manifest.v1+json") | {"annotations": {"io.containerd.image.name": name}}
    files = {f"blobs/sha256/{digest(blob)[7:]}": blob for blob in (content, config, manifest)}
    files["oci-layout"] = b'{"imageLayoutVersion":"1.0.0"}'
    files["index.json"] = json.dumps({"schemaVersion": 2, "manifests": [named]}).encode()
    with tarfile.open(path, "w") as tar:
        for place, blob in files.items():
            entry = tarfile.TarInfo(place)
            entry.size = len(blob)
            tar.addfile(entry, io.BytesIO(blob))
    return digest(manifest)


def described(content, kind):
    return {"mediaType": f"{IMAGE}.{kind}", "digest": digest(content), "size": len(content)}
