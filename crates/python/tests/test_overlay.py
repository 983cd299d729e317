"""Text, labels, rectangles and figures drawn over images: positions and colours."""

import mujoco
import numpy as np
import pytest
import sinew
from sinew._overlay import film_of_figure

WIDTH, HEIGHT = 320, 200


@pytest.fixture
def con():
    xml = f'<mujoco><visual><global offwidth="{WIDTH}" offheight="{HEIGHT}"/></visual></mujoco>'
    return sinew.MjrContext(sinew.MjModel.from_xml_string(xml), sinew.mjtFontScale.mjFONTSCALE_100)


WHOLE = sinew.MjrRect(0, 0, WIDTH, HEIGHT)


def pixels(con):
    """Rows from the bottom."""
    rgb = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    sinew.mjr_readPixels(rgb, None, WHOLE, con)
    return rgb


def extent(mask):
    """Left, right, bottom, top of the pixels that are set."""
    y, x = np.nonzero(mask)
    return x.min(), x.max(), y.min(), y.max()


def test_rectangles_and_labels(con):
    sinew.mjr_rectangle(sinew.MjrRect(10, 20, 30, 40), 1, 0, 0, 1)
    sinew.mjr_rectangle(sinew.MjrRect(30, 50, 400, 400), 0, 1, 0, 0.5)
    want = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    want[20:60, 10:40, 0] = 255
    want[50:, 30:, 0] //= 2
    want[50:, 30:, 1] = 128
    assert np.abs(pixels(con).astype(int) - want).max() <= 1
    sinew.mjr_label(sinew.MjrRect(100, 0, 100, 30), 0, "word", 0, 0, 1, 1, 1, 1, 1, con)
    left, right, bottom, top = extent((pixels(con) == 255).all(axis=2))
    assert abs(left + right - 300) <= 8 and abs(bottom + top - 30) <= 4 and right - left > 20


def test_text_and_fonts(con):
    def height(font):
        sinew.mjr_rectangle(WHOLE, 0, 0, 0, 1)
        sinew.mjr_text(font, "HI", con, 0.25, 0.5, 1, 1, 1)
        left, _, bottom, top = extent(pixels(con).any(axis=2))
        assert WIDTH // 4 <= left < WIDTH // 4 + 8 and HEIGHT // 2 <= bottom < HEIGHT // 2 + 8
        return top - bottom + 1

    small = height(sinew.mjtFont.mjFONT_NORMAL)
    assert height(sinew.mjtFont.mjFONT_BIG) == 2 * small
    sinew.mjr_changeFont(sinew.mjtFontScale.mjFONTSCALE_300, con)
    assert height(sinew.mjtFont.mjFONT_NORMAL) == 4 * small
    assert con.charHeight == 32 and con.charWidth[ord("x")] == 32


@pytest.mark.parametrize("name", [n for n in dir(sinew.mjtGridPos) if n.startswith("mjGRID_")])
def test_overlay(con, name):
    sinew.mjr_rectangle(WHOLE, 0, 0, 1, 1)
    sinew.mjr_overlay(0, getattr(sinew.mjtGridPos, name), WHOLE, "one\ntwo", "1\n2", con)
    left, right, bottom, top = extent(pixels(con)[:, :, 2] < 200)
    # the box touches the sides it is named after, except for a margin
    assert (left < 10) == ("LEFT" in name) and (right > WIDTH - 12) == ("RIGHT" in name), name
    assert (top > HEIGHT - 12) == ("TOP" in name) and (bottom < 10) == ("BOTTOM" in name), name


def test_figure(con):
    fig = sinew.MjvFigure()
    fig.title, fig.xlabel, fig.flg_extend = "title", "time", 0
    fig.range = [[0, 10], [-2, 2]]
    fig.linepnt[:2] = 50
    x = np.linspace(0, 10, 50)
    for n, y in enumerate((np.sin(x), np.full(50, 5.0))):
        fig.linedata[n, :100:2], fig.linedata[n, 1:100:2] = x, y
    fig.linename[:2] = b"wave", b"beyond"
    fig.flg_legend = 0
    sinew.mjr_figure(sinew.MjrRect(20, 10, 280, 180), fig, con)
    (x0, x1), (y0, y1) = fig.xaxispixel, fig.yaxispixel
    assert 20 < x0 < x1 < 300 and 10 < y0 < y1 < 190
    assert list(fig.yaxisdata) == [-2, 2] and list(fig.xaxisdata) == [0, 10]

    def coloured(n):
        return (np.abs(pixels(con) - 255 * fig.linergb[n]) <= 1).all(axis=2)

    red = coloured(0)
    for t in (1, 4, 8):
        column = np.flatnonzero(red[:, round(x0 + t / 10 * (x1 - x0))])
        assert abs(column.mean() - (y0 + (np.sin(t) + 2) / 4 * (y1 - y0))) < 4
    # a line outside the range is not drawn; one inside it is
    assert not coloured(1).any()
    fig.flg_legend = 1
    sinew.mjr_figure(sinew.MjrRect(20, 10, 280, 180), fig, con)
    assert coloured(1).any()
    sinew.mjr_figure(sinew.MjrRect(0, 0, 3, 2), fig, con)
    sinew.mjr_figure(sinew.MjrRect(500, 0, 30, 20), fig, con)


def test_figures_let_through_what_is_behind_them(con):
    fig = sinew.MjvFigure()
    fig.title, fig.linepnt[0], fig.linedata[0, :4] = "title", 2, [0, 0, 1, 1]
    fig.figurergba[3] = fig.panergba[3] = 0.5
    rect = sinew.MjrRect(20, 10, 280, 180)
    sinew.mjr_rectangle(rect, 0.2, 0.6, 0.4, 1)
    behind = pixels(con)[10:190, 20:300].astype(float)
    film = film_of_figure(fig, 20, 10, 280, 180)[::-1].astype(float)
    sinew.mjr_figure(rect, fig, con)
    share = film[..., 3:] / 255
    np.testing.assert_allclose(film[..., :3] * share + behind * (1 - share), pixels(con)[10:190, 20:300], atol=3)
    assert len(np.unique(share)) > 1


def test_auxiliary_buffers(con):
    sinew.mjr_addAux(2, 50, 40, 0, con)
    sinew.mjr_setAux(2, con)
    sinew.mjr_rectangle(sinew.MjrRect(0, 0, 50, 40), 0, 1, 0, 1)
    assert not pixels(con).any()
    sinew.mjr_blitAux(2, sinew.MjrRect(0, 0, 20, 10), 100, 50, con)
    want = np.zeros((HEIGHT, WIDTH), bool)
    want[50:60, 100:120] = True
    assert np.array_equal(pixels(con)[:, :, 1] == 255, want)
    sinew.mjr_rectangle(sinew.MjrRect(0, 0, 1, 1), 1, 1, 1, 1)
    assert pixels(con)[0, 0, 0] == 255
    for work in (lambda: sinew.mjr_setAux(3, con), lambda: sinew.mjr_addAux(10, 5, 5, 0, con)):
        with pytest.raises(ValueError, match="auxiliary buffer"):
            work()


def test_labels_in_scenes():
    m = sinew.MjModel.from_xml_string('<mujoco><worldbody><body name="abc"><geom size=".1" rgba="0 0 0 1"/></body></worldbody></mujoco>')
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    option = sinew.MjvOption()
    with sinew.Renderer(m, 120, 160) as r:
        r.update_scene(d, scene_option=option)
        plain = r.render()
        option.label = sinew.mjtLabel.mjLABEL_BODY
        r.update_scene(d, scene_option=option)
        left, right, low, high = extent((r.render() != plain).any(axis=2))
        assert abs(left + right - 160) < 12 and abs(low + high - 120) < 12 and 15 < right - left < 30


def test_pictures(tmp_path):
    """Other programs read back the same image, row by row."""
    picture = np.random.default_rng(0).integers(0, 256, (31, 41, 3), np.uint8)
    sinew.write_picture(str(tmp_path / "a.png"), picture)
    xml = f'<mujoco><asset><texture name="t" type="2d" file="{tmp_path}/a.png"/></asset></mujoco>'
    m = mujoco.MjModel.from_xml_string(xml)
    assert (m.tex_data.reshape(31, 41, 3) == picture).all()
    with pytest.raises(ValueError, match=".png"):
        sinew.write_picture("a.jpg", picture)


def test_films(tmp_path):
    frames = [np.full((31, 41, 3), k, np.uint8) for k in (0, 90, 250)]
    for name, head in (("a.gif", b"GIF89a"), ("a.mp4", b"ftyp")):
        sinew.write_video(str(tmp_path / name), iter(frames), fps=10)
        assert head in (tmp_path / name).read_bytes()[:12]
    html = sinew.show_video(frames)._repr_html_()
    assert html.startswith("<video") and len(html) > 500
    with pytest.raises(ValueError, match=".gif or .mp4"):
        sinew.write_video("a.avi", frames)
    with pytest.raises(ValueError, match="at least one"):
        sinew.show_video([])
    with pytest.raises(ValueError, match="one size"):
        sinew.show_video([frames[0], frames[0][:20]])
