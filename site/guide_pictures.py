#!/usr/bin/env python3
"""Generates the images of the guide: runs the programs of its pages and keeps their output in docs/img/guide."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = [ROOT / "docs" / "get-started.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]


def main():
    for page in PAGES:
        for code in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S):
            if "write_picture" not in code:
                continue
            with tempfile.TemporaryDirectory() as folder:
                shutil.copytree(ROOT / "models", f"{folder}/models")
                subprocess.run([sys.executable, "-c", code], cwd=folder, check=True)
                for picture in pathlib.Path(folder).glob("*.png"):
                    shutil.copy(picture, ROOT / "docs" / "img" / "guide" / picture.name)
                    print(page.name, picture.name)


if __name__ == "__main__":
    main()
