"""Takes the scripts out of a page of Documentation/recipes, so that the page and its test cannot differ."""
import pathlib, re

FOLDER = pathlib.Path(__file__).parents[2] / "Documentation/recipes"
# <!-- file: NAME --> or <!-- command: NAME -->, then a fenced block.
MARKED = re.compile(r"<!-- (file|command): (\S+) -->\n+```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Page:
    """The marked blocks of a page: `files` are written beside each other, `commands` are typed into a shell."""

    def __init__(self, name):
        text = (FOLDER / name).read_text()
        self.name, self.files, self.commands = name, {}, {}
        for kind, block, content in MARKED.findall(text):
            blocks = self.files if kind == "file" else self.commands
            if block in blocks: raise ValueError(f"{name} has two blocks called {block}")
            blocks[block] = content
        if text.count("<!-- file: ") + text.count("<!-- command: ") != len(self.files) + len(self.commands):
            raise ValueError(f"{name} has a mark without a block below it")

    def write(self, folder):
        for name, content in self.files.items():
            path = pathlib.Path(folder, name)
            path.write_text(content)
            if content.startswith("#!"): path.chmod(0o755)

    def shell_texts(self):
        """What shellcheck is to read: scripts by their first line, commands as bash."""
        for name, content in self.files.items():
            if re.match(r"#!\S*(/|env )(ba)?sh\b", content): yield name, content
        for name, content in self.commands.items(): yield name, "#!/bin/bash\n" + content


def all_pages():
    return [Page(path.name) for path in sorted(FOLDER.glob("*.md"))]
