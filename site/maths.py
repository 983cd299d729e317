"""Renders formulas as SVG when the site is built: the same on every machine, without scripts, fonts or a network."""

import functools
import html
import re

import ziamath

FORMULA = re.compile(r'<(span|div) class="arithmatex">(.*?)</\1>', re.S)
ziamath.config.svg2 = False  # no <symbol> elements: their ids would occur several times per page
SIZE = {False: 17, True: 19}  # font size in pixels, matching the surrounding text


@functools.lru_cache(maxsize=None)
def drawn(tex, block):
    """A formula as SVG in the colour of the text, aligned to its baseline."""
    formula = ziamath.Latex(tex, size=SIZE[block], color="currentColor", inline=not block)
    svg = formula.svg()
    top, height = (float(number) for number in re.search(r'viewBox="\S+ (\S+) \S+ (\S+)"', svg).groups())
    style = "" if block else f' style="vertical-align: {-top - height:.1f}px"'  # the part below the baseline
    return svg.replace("<svg ", f'<svg role="img" aria-label="{html.escape(tex, quote=True)}"{style} ', 1)


def on_page_content(text, **_):
    def draw(match):
        tag, tex = match[1], html.unescape(match[2]).strip()[2:-2].strip()
        return f'<{tag} class="formula">{drawn(tex, tag == "div")}</{tag}>'

    return FORMULA.sub(draw, text)
