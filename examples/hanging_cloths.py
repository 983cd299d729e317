#!/usr/bin/env python3
"""Renders six cloths of different materials, each held in the middle.

    python examples/hanging_cloths.py [--picture docs/img/hanging_cloths.png] [--seconds 1.5] [--side 21]
"""
import argparse

import numpy as np
import sinew

MATERIALS = {
    "cotton": (".9 .9 .85 1", 400, 0.5e-3),
    "silk": (".8 .2 .3 1", 1300, 0.15e-3),
    "leather": (".45 .3 .2 1", 900, 1.5e-3),
    "rubber": (".2 .2 .25 1", 1100, 1e-3),
    "paper": (".95 .95 1 1", 800, 0.1e-3),
    "membrane": (".3 .6 .8 1", 1000, 0.2e-3),
}
SIZE = 0.5


def model(side):
    spacing = SIZE / (side - 1)
    cloths, texts = [], []
    for i, (name, (rgba, density, thickness)) in enumerate(MATERIALS.items()):
        x, z = 0.6 * (i % 3 - 1), 1.0 if i < 3 else 0.45
        cloths.append(
            f'<flexcomp name="{name}" type="grid" dim="2" count="{side} {side} 1" spacing="{spacing} {spacing} {spacing}" '
            f'pos="{x} 0 {z}" radius=".002" mass="{density * thickness * SIZE**2}" rgba="{rgba}">'
            f'<pin id="{side * side // 2}"/></flexcomp>'
        )
        texts.append(f'<text name="sinew:deformable:{name}" data="{name} damping=2 substeps=10"/>')
    return sinew.MjModel.from_xml_string(
        f"""<mujoco><visual><global offwidth="960" offheight="560"/><headlight ambient=".35 .35 .35" diffuse=".4 .4 .4"/></visual>
        <asset><texture type="skybox" builtin="flat" rgb1=".62 .7 .78" width="16" height="16"/></asset><worldbody><light pos="0 -3 3" dir="0 1 -1"/>
        <light pos="-2 -3 1" dir="1 1 -.3" diffuse=".4 .4 .4"/>{"".join(cloths)}</worldbody><custom>{"".join(texts)}</custom></mujoco>"""
    )


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--picture", help="a PNG file to write")
    ap.add_argument("--seconds", type=float, default=1.5)
    ap.add_argument("--side", type=int, default=21)
    args = ap.parse_args()
    m = model(args.side)
    d = sinew.MjData(m)
    while d.time < args.seconds:
        sinew.mj_step(m, d)
    sinew.mj_forward(m, d)
    for f, name in enumerate(MATERIALS):
        x = d.flexvert_xpos[m.flex_vertadr[f] :][: m.flex_vertnum[f]]
        print(f"{name:9s} hangs {np.ptp(x[:, 2]):.3f} m down, {np.ptp(x[:, 0]):.3f} m wide")
        assert np.isfinite(x).all() and np.ptp(x[:, 2]) < SIZE
    if args.picture:
        picture(args.picture, m, d)


def picture(path, m, d):
    from PIL import Image, ImageDraw, ImageFont

    camera = sinew.MjvCamera()
    camera.lookat[:] = 0, 0, 0.6
    camera.distance, camera.azimuth, camera.elevation = 1.45, 90, -8
    with sinew.Renderer(m, 560, 960) as renderer:
        renderer.update_scene(d, camera)
        image = Image.fromarray(renderer.render())
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(18)
    for i, name in enumerate(MATERIALS):
        draw.text((180 + 300 * (i % 3), 20 if i < 3 else 285), name, fill="black", anchor="mm", font=font)
    image.save(path)


if __name__ == "__main__":
    main()
