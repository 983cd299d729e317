#!/usr/bin/env python3
"""Checks that every link, image, script and style of the built site refers to an existing file and anchor:
`check_links.py FOLDER`.

MkDocs has already checked links in Markdown; this also finds those in HTML, and anything a page would fetch from the
network.
"""

import functools
import html.parser
import pathlib
import sys
import urllib.parse

FETCHED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.places, self.fetched = [], {""}, []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.places |= {values.get("id"), values.get("name")}
        target = values.get(FETCHED.get(tag, "href"))
        if target:
            self.links.append(target)
            if tag in FETCHED and values.get("rel") not in ("canonical", "prev", "next"):
                self.fetched.append(target)


read = functools.lru_cache(maxsize=None)(Page)


def faults(root):
    for path in sorted(root.rglob("*.html")):
        where = path.relative_to(root)
        if where.parts[0] == "rust" or path.name == "404.html":  # rustdoc checks its own links; 404 is for servers
            continue
        page = read(path)
        yield from (f"{where}: fetches {t}" for t in page.fetched if t.startswith(("http", "//")))
        for target in page.links:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            file = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if file.is_dir():
                file /= "index.html"
            if not file.exists():
                yield f"{where}: {target} is not there"
            elif parts.fragment and file.suffix == ".html" and file.relative_to(root).parts[0] != "rust":
                place = urllib.parse.unquote(parts.fragment)
                if place not in read(file).places and not place.startswith("__"):
                    yield f"{where}: {target} has no such place"


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1]).resolve()
    found = sorted(set(faults(folder)))
    print("\n".join(found) or f"links: all of {len(list(folder.rglob('*.html')))} pages lead somewhere")
    sys.exit(bool(found))
