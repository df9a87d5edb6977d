"""The life of one release: hooks, upgrades, a failed migration, rollback, changed secrets."""

import subprocess

import pytest
from api import Refused, wait
from observer import Observer, completed, first
from release import NAME, Failed, Release
from rendering import COMPONENTS, ROOT, SERVICES, named

FULL = [f"{NAME}-{component}" for component in COMPONENTS]
MIGRATIONS = [f"{NAME}-{service}-migrate" for service in sorted(SERVICES)]
OTHER = "sha256:" + "9" * 64


@pytest.fixture(scope="module")
def release(plane):
    """The smallest value file, with a first ADMIN, as the chart was before its last change."""
    release = Release(plane, "minimal", "life")
    release.prepare()
    yield release
    release.discard()


@pytest.fixture(scope="module")
def earlier(tmp_path_factory):
    """The chart before the last commit that changed it, or as it is committed where it has been changed since."""

    def git(*words):
        return subprocess.run(["git", "-C", ROOT, *words], check=True, capture_output=True, text=True).stdout

    changed = bool(git("status", "--porcelain", "--", "charts/frontdesk"))
    commits = git("log", "-2", "--format=%H", "--", "charts/frontdesk").split()
    assert len(commits) == 2, "the history of the chart is not there"
    folder = tmp_path_factory.mktemp("earlier")
    archive = subprocess.Popen(["git", "-C", ROOT, "archive", commits[0 if changed else 1], "charts/frontdesk"], stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", folder], check=True, stdin=archive.stdout)
    assert archive.wait() == 0
    return folder / "charts" / "frontdesk"


def completion(observer):
    return completed(observer.seen("Job"))


def test_hooks_of_an_installation_run_before_and_after_everything_else(release, earlier):
    observer = Observer(release.api, release.namespace)
    release.upgrade("--set=createAdmin.email=first@example.com", chart=earlier)
    observer.caught_up()
    policy = first(observer.seen("NetworkPolicy", "ADDED"), f"{NAME}-migrate")
    begun = [first(observer.seen("Job", "ADDED"), job) for job in MIGRATIONS]
    done = completion(observer)
    others = [revision for revision, _, _, entry in observer.seen(happened="ADDED") if entry["metadata"]["name"] in FULL]
    admin = first(observer.seen("Job", "ADDED"), f"{NAME}-auth-create-admin")
    assert policy < begun[0]
    # One after another, and each complete before the next begins.
    for job, following in zip(MIGRATIONS, [*begun[1:], min(others)], strict=True):
        assert done[job] < following
    assert max(others) < admin < done[f"{NAME}-auth-create-admin"]
    gone = {entry["metadata"]["name"] for _, _, _, entry in observer.seen("Job", "DELETED")}
    assert gone == set(MIGRATIONS)


def test_an_upgrade_from_the_chart_before_takes_no_pod_away_early(release):
    observer = Observer(release.api, release.namespace)
    release.upgrade()
    observer.caught_up()
    done = completion(observer)
    changed = [revision for revision, _, _, entry in observer.seen("Deployment") if entry["metadata"]["generation"] != entry["status"].get("observedGeneration")]
    assert set(done) == set(MIGRATIONS)
    assert all(revision < min(changed, default=float("inf")) for revision in done.values())
    never_fewer(observer, 2)
    assert release.kubectl("get", "deployments", "-o", "name").split()


def never_fewer(observer, wanted):
    for _, _, _, entry in observer.seen("Deployment"):
        if entry["metadata"]["name"] in FULL:
            assert entry["status"].get("availableReplicas", 0) >= wanted, named(entry)


def test_new_images_replace_every_pod_of_theirs_and_no_other(release):
    observer = Observer(release.api, release.namespace)
    before, pods = release.templates(), {pod["metadata"]["uid"] for pod in release.pods("auth")}
    release.upgrade(f"--set=image.digests.auth={OTHER}")
    after = release.templates()
    observer.caught_up()
    assert {name for name in after if after[name] != before[name]} == {f"{NAME}-auth"}
    assert not pods & {pod["metadata"]["uid"] for pod in release.pods("auth")}
    never_fewer(observer, 2)


def test_a_rollback_takes_the_pods_back_and_migrates_nothing(release):
    observer = Observer(release.api, release.namespace)
    before = release.templates()
    history = release.helm("history", NAME, "-o", "json").count('"revision"')
    release.helm("rollback", NAME, str(history - 1), "--wait", "--timeout=60s")
    release.settle()
    observer.caught_up()
    after = release.templates()
    assert {name for name in after if after[name] != before[name]} == {f"{NAME}-auth"}
    assert not observer.seen("Job", "ADDED")
    images = {pod["spec"]["containers"][0]["image"] for pod in release.pods("auth")}
    assert len(images) == 1 and OTHER not in images.pop()


def test_a_change_of_secrets_generation_replaces_every_pod_and_nothing_else_does(release):
    before = release.templates()
    release.upgrade("--set=defaults.podDisruptionBudget.maxUnavailable=2", "--set=defaults.replicas=3", "--set=networkPolicy.enabled=false")
    assert release.templates() == before
    assert {len(release.pods(component)) for component in COMPONENTS} == {3}
    release.upgrade("--set-string=secretsGeneration=2")
    after = release.templates()
    assert not set(before.values()) & set(after.values())
    assert set(after) == set(before) == set(FULL)


def test_a_migration_that_fails_stops_an_upgrade_before_any_pod_changes(release):
    fails = release.plane.kubelets.fails
    fails.add(f"{NAME}-scheduling-migrate")
    before = release.held()
    pods = {pod["metadata"]["uid"] for pod in release.pods()}
    with pytest.raises(Failed, match="pre-upgrade hooks failed"):
        release.upgrade(f"--set=image.digests.auth={OTHER}", "--set=migrations.backoffLimit=0")
    fails.clear()
    assert {name: entry["metadata"].get("generation") for name, entry in before.items()} == {
        name: release.api.get(entry["kind"], release.namespace, entry["metadata"]["name"])["metadata"].get("generation")
        for name, entry in before.items()
    }
    assert {pod["metadata"]["uid"] for pod in release.pods()} == pods
    release.upgrade()


def test_a_pod_without_its_secret_takes_no_other_away(release):
    observer = Observer(release.api, release.namespace, ("Deployment",))
    with pytest.raises(Failed):
        release.upgrade("--set=components.auth.existingSecret=not-there", within="8s")
    assert any("not-there" in reason for reasons in release.plane.kubelets.waiting.values() for reason in reasons)
    observer.caught_up()
    never_fewer(observer, 2)
    release.upgrade()


def test_a_budget_refuses_a_second_eviction(release):
    """As a drain of a node asks, while the first pod has no successor that is ready."""

    def evict(pod):
        name = pod["metadata"]["name"]
        eviction = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": name, "namespace": release.namespace}}
        return release.api.call("POST", release.api.path("Pod", release.namespace, name, "eviction"), eviction)

    def budget():
        return release.api.get("PodDisruptionBudget", release.namespace, f"{NAME}-scheduling")["status"]

    wait(lambda: budget()["disruptionsAllowed"] == 1)
    pods = release.pods("scheduling")
    evict(pods[0])
    with pytest.raises(Refused) as refused:
        evict(pods[1])
    assert refused.value.code == 429
    wait(lambda: budget()["currentHealthy"] == 2)
