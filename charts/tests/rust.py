"""What the programs read and emit, taken from their Rust sources: no build is needed for that."""

import functools
import re
from dataclasses import dataclass
from pathlib import Path

import yaml

from rendering import ROOT

CRATES = {path.parent.name: path.parent for path in [*ROOT.glob("services/*/Cargo.toml"), ROOT / "bff" / "Cargo.toml"]}


@dataclass(frozen=True)
class Setting:
    """A flag or an environment variable."""

    name: str
    secret: bool = False


def sources(directory):
    """Files of a crate or folder that ship: no tests."""
    for path in sorted(directory.rglob("*.rs")):
        if "tests" not in path.parts and path.name != "tests.rs" and path.name != "build.rs":
            yield path


@functools.cache
def text(path):
    return path.read_text()


def code(path):
    """A file without its tests, which stand at its end."""
    return text(path).split("#[cfg(test)]\nmod tests {")[0]


def balanced(source, start):
    """The index after the bracket that closes the one at `start`; strings are skipped."""
    pairs, depth, at = {"(": ")", "[": "]", "{": "}"}, 0, start
    while at < len(source):
        character = source[at]
        if character == '"':
            at = re.compile(r'"(?:[^"\\]|\\.)*"').match(source, at).end()
            continue
        depth += character in pairs
        depth -= character in pairs.values()
        at += 1
        if depth == 0:
            return at
    raise ValueError("unbalanced brackets")


def members(body):
    """(attributes, declaration) of each field or variant."""
    at, attributes = 0, []
    token = re.compile(r"\s+|//[^\n]*|,|(?P<attribute>#\[)|(?P<declaration>(?:pub(?:\([a-z]+\))? )?\w+)")
    while at < len(body):
        match = token.match(body, at)
        if match["attribute"]:
            at = balanced(body, match.end() - 1)
            attributes.append(body[match.start() : at])
        elif match["declaration"]:
            end, depth = match.end(), 0
            while end < len(body) and not (body[end] == "," and depth == 0):
                depth += body[end] in "(<[{"
                depth -= body[end] in ")>]}"
                end += 1
            yield attributes, body[match.start() : end]
            at, attributes = end, []
        else:
            at = match.end()


@functools.cache
def declared(crate, name):
    """The body of a struct or enum of a crate."""
    for path in sources(CRATES[crate] / "src"):
        match = re.search(rf"^\s*(?:pub(?:\(\w+\))? )?(?:struct|enum) {name} \{{", code(path), re.M)
        if match:
            start = match.end() - 1
            return code(path)[start + 1 : balanced(code(path), start) - 1]
    return None


def resolve(crate, kind):
    """The crate and name of a type as a field writes it."""
    kind = re.sub(r"^Option<(.*)>$", r"\1", kind.strip())
    *path, name = kind.split("::")
    wanted = path[0].replace("_", "-") if path else crate
    for candidate in [wanted, crate, "boot"]:
        if candidate in CRATES and declared(candidate, name) is not None:
            return candidate, name
    raise LookupError(f"{kind} in {crate}")


def arguments(crate, name):
    """(flag, environment variable or None, secret) for everything clap reads into a type."""
    for attributes, declaration in members(declared(crate, name)):
        joined = " ".join(attributes)
        kind = declaration.partition(": ")[2]
        if re.search(r"#\[command\((flatten|subcommand)\)\]", joined):
            yield from arguments(*resolve(crate, kind))
        elif "#[arg(" in joined:
            field = re.match(r"(?:pub(?:\([a-z]+\))? )?(\w+)", declaration)[1]
            long = re.search(r'\blong = "([^"]+)"', joined)
            variable = re.search(r'\benv = "([^"]+)"', joined)
            yield long[1] if long else field.replace("_", "-"), variable and variable[1], "hide_env_values" in joined
        elif variant := re.fullmatch(r"\w+\((\w+)\)", declaration.strip()):
            yield from arguments(*resolve(crate, variant[1]))


@functools.cache
def binaries():
    """Crates with a program of their own."""
    return sorted(name for name, path in CRATES.items() if (path / "src" / "main.rs").exists())


def clap(crate):
    """What a program reads as it serves, and a service's program as a job."""
    sources = [CRATES[crate] / "src" / name for name in ("main.rs", "lib.rs")]
    read = "\n".join(text(path) for path in sources if path.exists())
    roots = [found[0] or found[1] for found in re.findall(r"(\w+)::parse\(\)|\b(?:read|run)::<(\w+)[,>]", read)]
    found = [argument for root in roots for argument in arguments(*resolve(crate, root))]
    if "JobConfig" in read:
        found += arguments("database", "JobConfig")
    return found


@functools.cache
def linked(crate):
    """The workspace's crates in a program."""
    found, open_ = set(), [crate]
    while open_:
        name = open_.pop()
        if name in found:
            continue
        found.add(name)
        dependencies = text(CRATES[name] / "Cargo.toml").split("[dev-dependencies]")[0].split("[build-dependencies]")[0]
        open_ += [other for other in CRATES if re.search(rf"^{other}(\.workspace| = )", dependencies, re.M)]
    return found


@functools.cache
def variables(crate):
    """Every environment variable that a program reads, through clap or by itself."""
    found = {Setting(variable, secret) for _, variable, secret in clap(crate) if variable}
    for path in (path for name in linked(crate) for path in sources(CRATES[name] / "src")):
        for literal, constant in re.findall(r'env::var(?:_os)?\((?:"(\w+)"|(\w+))\)', code(path)):
            name = literal or re.search(rf'const {constant}: &str = "(\w+)"', code(path))[1]
            found.add(Setting(name))
    return found


@functools.cache
def flags(crate):
    """Flags that no environment variable stands for."""
    return {flag for flag, variable, _ in clap(crate) if not variable}


def peers(crate):
    """Services that a crate opens connections to."""
    opened = r'Peer::lazy\(\s*"([a-z-]+)"|\("([a-z-]+)", &\*?self\.\w+_url\)'
    found = (match for path in sources(CRATES[crate] / "src") for match in re.findall(opened, code(path)))
    return {name for pair in found for name in pair if name}


def called(directory):
    """Services whose methods are named in a folder of the doors."""
    modules = {
        "auth": "auth",
        "tenancy": "tenancy",
        "scheduling": "scheduling",
        "calendarsync": "calendar-sync",
        "telemetry": "telemetry",
    }
    found = set()
    for path in sources(directory):
        if "_service_methods" in code(path):
            found |= {
                modules[name] for name in re.findall(r"\b(\w+)::(?:internal::)?v1\b", code(path)) if name in modules
            }
    return found


def word(path, name):
    """The text of a constant."""
    return re.search(rf'\b{name}: &str = "([^"]+)"', text(ROOT / path))[1]


def seconds(path, name):
    """The seconds of a constant, or of a field by default."""
    return int(re.search(rf"\b{name}:(?: Duration =)? Duration::from_secs\((\d+)\)", text(ROOT / path))[1])


@dataclass(frozen=True)
class Metric:
    name: str
    kind: str
    unit: str

    @property
    def prometheus(self):
        """The name that the collector's Prometheus exporter gives it, without a histogram's suffix."""
        name = self.name.replace(".", "_") + {"s": "_seconds", "By": "_bytes"}.get(self.unit, "")
        return name + ("_total" if self.kind == "counter" else "")


# Emitted by the OpenTelemetry SDK itself, by a feature that the workspace turns on.
SDK_FEATURE = "experimental_metrics_bound_instruments"
SDK = {
    Metric("otel.sdk.processor.span.processed", "counter", "{span}"),
    Metric("otel.sdk.processor.log.processed", "counter", "{log_record}"),
}


@functools.cache
def metrics():
    """Every metric that the shipped crates emit."""
    found = set(SDK) if SDK_FEATURE in text(ROOT / "Cargo.toml") else set()
    instrument = re.compile(
        r'\.[ufi]64_(observable_)?(counter|up_down_counter|histogram|gauge)\(\s*(?:"([^"]+)"|(\w+)),?\s*\)'
    )
    shipped = set().union(*(linked(name) for name in binaries() if name not in {"local", "testkit"}))
    for path in (path for name in sorted(shipped) for path in sources(CRATES[name] / "src")):
        for match in instrument.finditer(code(path)):
            chain = code(path)[match.end() :].split(".build()")[0]
            unit = re.search(r'\.with_unit\("([^"]*)"\)', chain)
            names = [match[3]] if match[3] else re.findall(r'=> \("([a-z_.]+)"', code(path))
            assert names, f"{path}: no name of a metric can be read"
            found |= {Metric(name, match[2], unit[1] if unit else "") for name in names}
    return found


def internal():
    return yaml.safe_load((Path(__file__).parent / "internal.yaml").read_text())
