"""What happened to the objects of a namespace, in the order in which the API server stored it."""

import contextlib
import threading

from api import NotReached, wait


class Observer:
    """Watches kinds of one namespace from now on. All revisions are of one counter, so they can be compared."""

    def __init__(self, api, namespace, kinds=("Job", "NetworkPolicy", "Deployment", "ReplicaSet", "Service", "Pod")):
        self.api = api
        self.namespace = namespace
        self.entries = []
        self.lock = threading.Lock()
        self.kinds = kinds
        self.began = int(api.revision(kinds[0]))
        for kind in kinds:
            threading.Thread(target=self.follow, args=(kind, api.revision(kind)), daemon=True).start()

    def follow(self, kind, since):
        with contextlib.suppress(NotReached, OSError):
            for event in self.api.watch(kind, since):
                entry = event["object"]
                if event["type"] != "BOOKMARK" and entry["metadata"].get("namespace") == self.namespace:
                    with self.lock:
                        self.entries.append((int(entry["metadata"]["resourceVersion"]), event["type"], kind, entry))

    def seen(self, kind=None, happened=None):
        with self.lock:
            found = sorted(self.entries, key=lambda entry: entry[0])
        return [entry for entry in found if (kind is None or entry[2] == kind) and (happened is None or entry[1] == happened)]

    def caught_up(self):
        """Waits until what is stored has been seen: each object as it is, and the end of each that is gone."""
        wait(lambda: all(self.has_seen(kind) for kind in self.kinds))

    def has_seen(self, kind):
        last = {entry["metadata"]["uid"]: (happened, entry) for _, happened, _, entry in self.seen(kind)}
        there = {entry["metadata"]["uid"]: entry for entry in self.api.list(kind, self.namespace)}
        ended = all(happened == "DELETED" for uid, (happened, _) in last.items() if uid not in there)
        news = [entry for entry in there.values() if int(entry["metadata"]["resourceVersion"]) > self.began]
        versions = {uid: entry["metadata"]["resourceVersion"] for uid, (_, entry) in last.items()}
        return ended and all(versions.get(entry["metadata"]["uid"]) == entry["metadata"]["resourceVersion"] for entry in news)


def first(entries, name):
    return next((revision for revision, _, _, entry in entries if entry["metadata"]["name"] == name), None)


def completed(entries):
    """The revision at which each Job was complete."""
    found = {}
    for revision, _, _, entry in entries:
        conditions = entry.get("status", {}).get("conditions", [])
        if any(condition["type"] == "Complete" and condition["status"] == "True" for condition in conditions):
            found.setdefault(entry["metadata"]["name"], revision)
    return found
