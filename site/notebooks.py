"""Notebooks as pages: their text, their code, and the output of their last run."""

import base64
import json

PICTURES = {}  # by name


def outputs(cell, name):
    for i, output in enumerate(cell.get("outputs", [])):
        data = output.get("data", {})
        if "image/png" in data:
            picture = f"{name}_{i}.png"
            PICTURES[picture] = base64.b64decode(data["image/png"])
            yield f'<img src="{picture}" alt="What the cell drew">'
        elif text := "".join(output.get("text", data.get("text/plain", []))).rstrip():
            yield f"```text\n{text}\n```"


def page(path):
    """Converts a notebook to Markdown."""
    parts = []
    for i, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
        elif text.strip():
            parts += [f"```python\n{text}\n```", *outputs(cell, f"{path.stem}_{i}")]
    return "\n\n".join(parts) + "\n"
