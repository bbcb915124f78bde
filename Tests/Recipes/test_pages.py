"""The pages: scripts without findings of shellcheck, a test and a line in the index for each page."""
import importlib, pathlib, re
from pages import FOLDER, all_pages
from workspace import expect

PAGE = "README.md"


def test(work):
    work.need("shellcheck")
    modules = [path.stem for path in pathlib.Path(__file__).parent.glob("test_*.py")]
    tested = {importlib.import_module(name).PAGE for name in modules}
    index = (FOLDER / "README.md").read_text()
    count = 0
    for page in all_pages():
        expect(page.name in tested or not (page.files or page.commands), f"{page.name} has no test")
        expect(page.name == "README.md" or f"({page.name})" in index, f"{page.name} is not in the index")
        for name, text in page.shell_texts():
            found = work.run("shellcheck", "--norc", "-", input=text.encode(), allowed=(0, 1)).stdout.decode()
            expect(not found, f"{page.name}, {name}: {found}")
            count += 1
        for line in (FOLDER / page.name).read_text().split("\n"):
            expect(len(line) <= 120 or re.match(r"\|", line), f"{page.name} has a long line: {line}")
    return f"{count} scripts and commands without findings of shellcheck"
