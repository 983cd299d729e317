"""Pages of the site: docs/**/*.md unchanged, those of the root, notebooks, the reference, and the sources that pages
link to.

Links in pages are relative to the repository; here they become links of the site. A link to a missing file stops the
build.
"""

import pathlib
import posixpath
import re

import notebooks
import reference
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = pathlib.Path(__file__).resolve().parents[1]
# destinations of pages that are not in docs/, or that are renamed
MOVED = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "docs/README.md": "pages.md",
}
LANGUAGES = {".py": "python", ".rs": "rust", ".xml": "xml", ".toml": "toml", ".h": "cpp", ".cu": "cpp", ".mjs": "js"}
FENCE = re.compile(r"^(`{3,})[^\n]*\n.*?^\1[ \t]*$", re.S | re.M)
LINK = re.compile(r'(\[[^]\[]*\]\(|\]\(|src="|href=")([^)"\s#]+)(#[^)"\s]*)?')


def outside_fences(text, change):
    """Applies `change` to the text outside code blocks."""
    parts, last = [], 0
    for fence in FENCE.finditer(text):
        parts += [change(text[last : fence.start()]), fence[0]]
        last = fence.end()
    return "".join([*parts, change(text[last:])])


def home(path):
    """Address of a repository file on the site."""
    if path in MOVED:
        return MOVED[path]
    inside = path.removeprefix("docs/")
    if (ROOT / path).is_dir():
        return f"{inside}/index.md" if inside != path else f"source/{path}/index.md"
    if inside == path:
        return f"source/{path}.md"
    return inside.removesuffix(".ipynb") + ".md" if inside.endswith(".ipynb") else inside


class Site:
    """The pages generated so far: text by address."""

    def __init__(self):
        self.pages, self.wanted = {}, set()

    def add(self, path, text):
        """Adds a page of the repository, with its links converted."""
        here, there = posixpath.dirname(path), home(path)

        def link(match):
            before, target, anchor = match[1], match[2], match[3] or ""
            if re.match(r"[a-z]+:|/", target):
                return match[0]
            found = posixpath.normpath(posixpath.join(here, target))
            if posixpath.basename(found) in notebooks.PICTURES:  # generated here
                return match[0]
            if not (ROOT / found).exists():
                raise PluginError(f"{path} links to {target}, which is not there")
            self.wanted.add(found)
            if found.endswith(".md") and not anchor and before == f"[{target}](":
                before = f"[{label(ROOT / found)}]("  # labelled by title instead of address
            address = posixpath.relpath(home(found), posixpath.dirname(there) or ".")
            if before == 'href="':  # in HTML, which MkDocs does not change
                address = re.sub(r"\.md$", ".html", address)
            return before + address + anchor

        self.pages[there] = outside_fences(text, lambda part: LINK.sub(link, part))

    def sources(self):
        """Adds pages for linked files and folders, and for what those link to."""
        while missing := sorted(path for path in self.wanted if home(path) not in self.pages and not picture(path)):
            for path in missing:
                file = ROOT / path
                if file.is_dir():
                    self.add(path, listing(path, file))
                else:
                    language = LANGUAGES.get(file.suffix, "text")
                    self.pages[home(path)] = f"# `{path}`\n\n`````{language}\n{file.read_text(encoding='utf-8')}\n`````\n"


def picture(path):
    return path.startswith("docs/") and (ROOT / path).suffix in (".png", ".svg", ".gif")


def listing(path, folder):
    """A page that lists a folder, with links relative to the parent folder."""
    names = sorted(f.name for f in folder.iterdir() if f.suffix in (".rs", ".py", ".md", ".ipynb", ".txt"))
    title = "Decisions" if path == "docs/decisions" else f"`{path}`"
    return f"# {title}\n\n" + "".join(f"- [{label(folder / name)}]({folder.name}/{name})\n" for name in names)


def label(file):
    """A page's title, or the name of any other file."""
    return file.read_text(encoding="utf-8").splitlines()[0].lstrip("# ") if file.suffix == ".md" else f"`{file.name}`"


def on_files(files, config):
    site = Site()
    for path in [*MOVED, *(f"docs/{f.src_uri}" for f in files.documentation_pages() if f.src_uri != "README.md")]:
        site.add(path, (ROOT / path).read_text(encoding="utf-8"))
    for book in sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")):
        site.add(f"docs/notebooks/{book.name}", notebooks.page(book))
    site.sources()
    site.pages |= reference.pages()
    kept = [f for f in files if not f.is_documentation_page() and not f.src_uri.endswith(".ipynb")]
    kept += [File.generated(config, uri, content=text) for uri, text in site.pages.items()]
    kept += [File.generated(config, f"notebooks/{name}", content=data) for name, data in notebooks.PICTURES.items()]
    kept += [File.generated(config, name, abs_src_path=str(ROOT / "site" / name)) for name in ("style.css", "iframe-worker.js")]
    return Files(kept)
