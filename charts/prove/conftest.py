import tempfile
from pathlib import Path

import pytest
from api import wait
from control_plane import ControlPlane
from definitions import definitions, is_served
from kubelet import ZONES, Kubelets
from rendering import ROOT, load_all


@pytest.fixture(scope="session")
def plane():
    """A control plane with two nodes in two zones, and the custom resources that the chart may make."""
    with tempfile.TemporaryDirectory() as name, ControlPlane(Path(name)).served() as plane:
        for made in definitions():
            plane.api.create(made)
            wait(lambda made=made: is_served(plane.api, made))
        # What values-prod.yaml and a value file expect of the cluster.
        (voice,) = load_all((ROOT / "k8s" / "examples" / "priority.yaml").read_text())
        for priority in (voice, voice | {"metadata": {"name": "calls"}}):
            plane.api.create(priority)
        plane.kubelets = Kubelets(plane.api)
        plane.kubelets.join()
        wait(lambda: [node for node in plane.api.list("Node") if not node["spec"].get("taints")] == plane.api.list("Node"))
        assert len(plane.api.list("Node")) == len(ZONES)
        plane.kubelets.start()
        yield plane
        plane.kubelets.stopped = True


@pytest.fixture(autouse=True)
def alive(plane):
    """What stands in for kubelets and cert-manager has met nothing that it does not know, and all programs run."""
    yield
    plane.must_run()
    assert plane.kubelets.failure is None, plane.kubelets.failure
