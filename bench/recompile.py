"""Time of changing one body of a scene and recompiling it with its state, against MuJoCo, interleaved in one process.

    python bench/recompile.py LIST.txt|MODEL.xml ... [--repeat 5] [--made 300]

Each engine reads the model as an `MjSpec`, compiles it, moves one body and calls `recompile(model, data)`; the shortest
CPU time (all threads) counts. `--made N` adds a scene of N jointed bodies. Above 1 sinew is faster.
"""
import argparse
import time

import mujoco
import numpy as np
import sinew
from common import expand, label


def made(module, n):
    """Rows of arms with two joints each."""
    spec = module.MjSpec()
    spec.worldbody.add_geom(type=module.mjtGeom.mjGEOM_PLANE, size=[20, 20, 0.1])
    for i in range(n // 2):
        arm = spec.worldbody.add_body(name=f"arm{i}", pos=[i % 20, i // 20, 1])
        arm.add_joint(name=f"shoulder{i}", axis=[0, 1, 0])
        arm.add_geom(size=[0.02, 0.1, 0], type=module.mjtGeom.mjGEOM_CAPSULE)
        hand = arm.add_body(name=f"hand{i}", pos=[0, 0, 0.2])
        hand.add_joint(name=f"wrist{i}", axis=[1, 0, 0])
        hand.add_geom(size=[0.05, 0, 0])
        spec.add_actuator(name=f"motor{i}", trntype=module.mjtTrn.mjTRN_JOINT, target=f"shoulder{i}")
    return spec


class Scene:
    def __init__(self, module, make):
        self.spec = make(module)
        self.model = self.spec.compile()
        self.data = module.MjData(self.model)
        module.mj_step(self.model, self.data)
        self.body = self.spec.bodies[-1]
        self.best = np.inf

    def edit(self, amount):
        start = time.process_time()
        self.body.pos = np.asarray(self.body.pos) + amount
        self.model, self.data = self.spec.recompile(self.model, self.data)
        self.best = min(self.best, time.process_time() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--made", type=int, default=0)
    args = parser.parse_args()
    makers = [(label(path), lambda module, path=path: module.MjSpec.from_file(path)) for path in expand(args.paths)]
    if args.made:
        makers.append((f"{args.made} bodies", lambda module: made(module, args.made)))
    print(f"{'scene':50s} {'mujoco ms':>10s} {'sinew ms':>10s} {'ratio':>7s}")
    ratios = []
    for name, make in makers:
        try:
            scenes = [Scene(mujoco, make), Scene(sinew, make)]
            for i in range(args.repeat):
                for scene in scenes if i % 2 else scenes[::-1]:
                    scene.edit(0.001)
        except ValueError as e:
            print(f"{name:50s} {str(e).splitlines()[0][:60]}")
            continue
        oracle, own = (scene.best for scene in scenes)
        ratios.append(oracle / own)
        print(f"{name:50s} {1e3 * oracle:10.2f} {1e3 * own:10.2f} {oracle / own:7.2f}")
    if ratios:
        print(f"\nscenes {len(ratios)}, geometric mean {np.exp(np.mean(np.log(ratios))):.2f}, smallest {min(ratios):.2f}")


if __name__ == "__main__":
    main()
