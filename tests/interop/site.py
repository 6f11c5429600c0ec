"""The pages of the documentation as the source of a book, and a check of the links of the book that is made of them.

    site.py write SOURCE        the pages, and every file and folder that they link to, where they are in the repository
    site.py check SITE          every link of the site leads to a file of the site, and to a heading in it
"""

import html.parser
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

LINK = re.compile(r"(\]\()([^)#\s:]+)((?:#[^)]*)?\))")
CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)


def title(page):
    return re.search(r"^# (.*)", Path(page).read_text("utf-8"), re.MULTILINE)[1].replace("`", "")


def tracked(folder):
    asked = ["git", "ls-files", "--cached", "--others", "--exclude-standard", folder]
    return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.split()


def write(source):
    table = re.findall(r"^\| \[\w+\]\((\w+\.md)\)", Path("docs/README.md").read_text("utf-8"), re.MULTILINE)
    books = sorted(str(path) for path in Path("docs/rulebook").glob("*.md"))
    pages = ["README.md", "docs/README.md", *(f"docs/{name}" for name in table), *books]
    folders = {}

    def target(page, link):
        path = os.path.normpath(Path(page).parent / link)
        if os.path.isdir(path):
            if not os.path.isfile(f"{path}/README.md"):
                folders[path] = tracked(path)
                return os.path.relpath(f"{path}/index.md", Path(page).parent)
            path += "/README.md"
        if path.endswith(".md") and path not in pages:
            pages.append(path)
        elif not path.endswith(".md"):
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, source / path)
        # A README is the index of its folder.
        return os.path.relpath(re.sub(r"README\.md$", "index.md", path), Path(page).parent)

    def linked(page, text):
        parts = CODE.split(text)
        parts[::2] = [LINK.sub(lambda link: link[1] + target(page, link[2]) + link[3], part) for part in parts[::2]]
        return "".join(parts)

    # A page that another one links to is a page, too.
    for page in pages:
        (source / page).parent.mkdir(parents=True, exist_ok=True)
        (source / page).write_text(linked(page, Path(page).read_text("utf-8")), "utf-8")
    summary = [f"[{title(page)}]({page})" for page in pages[:2]]
    for page in pages[2:]:
        summary += [] if page in books else [f"- [{title(page)}]({page})"]
        summary += [f"  - [{title(book)}]({book})" for book in books if page == "docs/RULEBOOK.md"]
    for folder, files in sorted(folders.items()):
        lines = [f"- [{file.removeprefix(folder + '/')}]({file.removeprefix(folder + '/')})" for file in files if not file.endswith(".md")]
        (source / folder).mkdir(parents=True, exist_ok=True)
        (source / folder / "index.md").write_text(linked(f"{folder}/index.md", f"# {folder}\n\n" + "\n".join(lines) + "\n"), "utf-8")
        summary.append(f"- [{folder}]({folder}/index.md)")
    shutil.copytree("docs/pictures", source / "docs/pictures", dirs_exist_ok=True)
    (source / "SUMMARY.md").write_text("\n".join(["# Summary", *summary[:2], "", *summary[2:], ""]), "utf-8")


class Page(html.parser.HTMLParser):
    """The links and the ids of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.ids = [], set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.ids.add(named.get("id"))
        self.links += [named[name] for name in ("href", "src") if named.get(name)]


def check(site):
    made = [path for path in site.rglob("*.html") if "Book generated using mdBook" in path.read_text("utf-8")]
    pages = {path: Page(path) for path in made}
    dead, links = set(), 0
    for path, page in pages.items():
        # What the error page links to depends on where it is shown.
        if path.name in ("404.html", "toc.html", "print.html"):
            continue
        for link in page.links:
            if re.match(r"[a-z]+:", link):
                continue
            links += 1
            file, _, fragment = unquote(link).partition("#")
            target = Path(os.path.normpath(path.parent / file)) if file else path
            if not target.is_file() or (target in pages and fragment and fragment not in pages[target].ids):
                dead.add(f"{path.relative_to(site)}: {link}")
    assert links > 1000, links
    assert not dead, "\n".join(["dead links:", *sorted(dead)])
    print(f"site: {links} links in {len(pages)} pages lead somewhere")


if __name__ == "__main__":
    {"write": write, "check": check}[sys.argv[1]](Path(sys.argv[2]))
