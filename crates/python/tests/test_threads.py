"""The GIL is released during native calls, and two calls never run on one simulation at once."""

import threading
import time

import pytest
import sinew


def big():
    bodies = "".join(
        f"<body pos='{i} 0 1'><freejoint/><geom size='.1'/><body pos='.3 0 0'><joint/><geom size='.1'/></body></body>"
        for i in range(60)
    )
    return sinew.MjModel.from_xml_string(
        f"<mujoco><option><flag contact='disable'/></option><worldbody>{bodies}</worldbody></mujoco>"
    )


def test_python_runs_during_a_call():
    m = big()
    d = sinew.MjData(m)
    t = threading.Thread(target=sinew.mj_step, args=(m, d, 3000))
    start = time.perf_counter()
    t.start()
    ticks = 0
    while t.is_alive():
        ticks += 1
        time.sleep(0.0005)
    assert ticks > 5, f"{ticks} ticks in {time.perf_counter() - start:.3f} s"


def test_two_threads_on_one_simulation():
    m = big()
    d = sinew.MjData(m)
    busy = []

    def work():
        try:
            sinew.mj_step(m, d, 200)
        except RuntimeError as e:
            busy.append(str(e))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for t in threads:
        t.start()
    while any(t.is_alive() for t in threads):
        d.qpos[0], d.time, d.body(1).xpos  # fixed storage may be accessed
        try:
            len(d.contact), d.efc_J  # growing storage may not
        except RuntimeError as e:
            assert "in use" in str(e)
    assert all("MjData is in use by another thread" in b for b in busy)
    ran = 6 - len(busy)
    assert d.time == pytest.approx(ran * 200 * m.opt.timestep)


def test_one_model_in_many_threads():
    m = big()
    datas = [sinew.MjData(m) for _ in range(6)]
    threads = [threading.Thread(target=sinew.mj_step, args=(m, d, 20)) for d in datas]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all((d.qpos == datas[0].qpos).all() for d in datas)
