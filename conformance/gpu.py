#!/usr/bin/env python3
"""Batches on a GPU, beyond unit tests: bitwise equal results for all batch sizes and world indices, PyTorch CUDA
graphs, JAX arrays, and a long run with the energies and heights of the CPU.

    python conformance/gpu.py                                    # on GPU 0
    python conformance/gpu.py --device emulated --steps 200      # the same code on emulated lanes, briefly

Tests that need a missing library are skipped with a message. Exits with 1 if something fails.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

import sinew
import sinew.gpu

MODEL = Path(__file__).parents[1] / "models" / "humanoid.xml"
SIZES = (1, 3, 8, 33)  # the last is more than a block
STATES = 16
HEIGHTS, ENERGIES = 0.05, 0.1  # tolerances for the means of the long run, relative to the CPU's spread


def model():
    return sinew.MjModel.from_xml_path(str(MODEL))


def controls(m, worlds, seed):
    return np.random.default_rng(seed).uniform(-0.3, 0.3, (worlds, m.nu)).astype(np.float32)


def bits(device, steps):
    """A world gives the same bits at any index, in batches of any size."""
    m, seen = model(), {}
    own = controls(m, STATES, 0)
    for size in SIZES:
        for shift in (0, 5):
            sim = sinew.gpu.BatchSim(m, size, device=device)
            which = (np.arange(size) + shift) % STATES
            sim.ctrl[:] = own[which]
            sim.step(steps)
            for state, row in zip(which, np.hstack((sim.qpos.numpy(), sim.qvel.numpy()))):
                assert seen.setdefault(state, row.tobytes()) == row.tobytes(), f"state {state} in a batch of {size}"
    return f"{len(seen)} states in batches of {SIZES}"


def torch_graph(device, steps):
    """Steps captured in a PyTorch CUDA graph equal plain ones."""
    torch = library("torch")
    if device == "emulated" or not torch.cuda.is_available():
        raise Skipped("graphs need a GPU")
    m = model()
    plain, caught = (sinew.gpu.BatchSim(m, 64, device=device) for _ in range(2))
    own = torch.as_tensor(controls(m, 64, 1), device=f"cuda:{device}")
    weight = torch.randn(m.nq, m.nu, device=own.device) * 0.05
    views = [[torch.from_dlpack(getattr(sim, name)) for name in ("qpos", "ctrl")] for sim in (plain, caught)]

    def act(sim, qpos, ctrl):
        ctrl.copy_(own + torch.tanh(qpos @ weight))
        sim.step()

    for sim, view in zip((plain, caught), views):
        act(sim, *view)  # matrix products allocate memory before the capture
        sim.reset()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        act(caught, *views[1])
    caught.reset()
    for _ in range(steps):
        act(plain, *views[0])
        graph.replay()
    torch.cuda.synchronize()
    assert torch.equal(views[0][0], views[1][0]), "a graph steps otherwise"
    caught.check()
    return f"{steps} steps of 64 worlds"


def jax_arrays(device, steps):
    """JAX reads positions and sets controls without the host; steps equal those with NumPy."""
    jax = library("jax")
    m = model()
    ours, plain = (sinew.gpu.BatchSim(m, 8, device=device) for _ in range(2))
    own, weight = controls(m, 8, 2), np.random.default_rng(3).normal(0, 0.05, (m.nq, m.nu)).astype(np.float32)
    act = jax.jit(lambda qpos: own + jax.numpy.tanh(qpos @ weight))
    for _ in range(steps):
        ours.ctrl[:] = jax.block_until_ready(act(jax.dlpack.from_dlpack(ours.qpos)))
        plain.ctrl[:] = np.asarray(act(plain.qpos.numpy()))
        ours.step()
        plain.step()
    np.testing.assert_array_equal(ours.qpos.numpy(), plain.qpos.numpy())
    return f"{steps} steps of 8 worlds"


def soak(device, steps):
    """A long run neither fails nor drifts: mean heights and energies equal the CPU's."""
    m, worlds, each = model(), 8, max(1, min(100, steps // 10))
    m.opt.enableflags |= int(sinew.mjtEnableBit.mjENBL_ENERGY)
    gpu = sinew.gpu.BatchSim(m, worlds, nstep=each, device=device, outputs=("subtree_com", "cvel"))
    datas = [sinew.MjData(m) for _ in range(2)]
    seen = {"gpu": [], "cpu": []}
    for k in range(steps // each):
        own = controls(m, worlds, k)
        gpu.ctrl[:] = own
        gpu.step()
        for d, ctrl in zip(datas, own):  # while the GPU works
            d.ctrl[:] = ctrl
            sinew.mj_step(m, d, each)
        seen["gpu"].append((gpu.subtree_com.numpy()[:, 1, 2], np.square(gpu.qvel.numpy()).sum(1)))
        seen["cpu"].append(([d.subtree_com[1, 2] for d in datas], [np.square(d.qvel).sum() for d in datas]))
    gpu.check()
    late = {name: [np.concatenate([row[c] for row in rows[len(rows) // 4 :]]) for c in (0, 1)] for name, rows in seen.items()}
    for what, c, most in (("heights", 0, HEIGHTS), ("squares of velocities", 1, ENERGIES)):
        ours, theirs = late["gpu"][c].mean(), late["cpu"][c].mean()
        assert np.isfinite(late["gpu"][c]).all(), f"{what} are not finite"
        if steps >= 10**5:
            assert abs(ours - theirs) < most * max(abs(theirs), late["cpu"][c].std()), f"{what}: {ours} for {theirs}"
    return f"{steps} steps of {worlds} worlds, mean height {late['gpu'][0].mean():.4f} for {late['cpu'][0].mean():.4f}"


class Skipped(Exception):
    pass


def library(name):
    try:
        return __import__(name)
    except ImportError:
        raise Skipped(f"{name} is not installed") from None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="0", help="number of the GPU, or 'emulated'")
    parser.add_argument("--steps", type=int, default=10**6, help="steps of the long run; of the others a hundred at most")
    args = parser.parse_args()
    device = args.device if args.device == "emulated" else int(args.device)
    short, failed = min(100, args.steps), 0
    for check, steps in ((bits, short), (torch_graph, short), (jax_arrays, short), (soak, args.steps)):
        try:
            print(f"{check.__name__}: {check(device, steps)}", flush=True)
        except Skipped as why:
            print(f"{check.__name__}: skipped, {why}", flush=True)
        except (AssertionError, sinew.FatalError) as error:
            failed += 1
            print(f"{check.__name__}: FAILED: {error}", flush=True)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
