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
INDEX, RULEBOOK, VIOLATIONS = "docs/README.md", "docs/RULEBOOK.md", "docs/violations.md"


def text_of(page):
    return Path(page).read_text("utf-8")


def title(text):
    return re.search(r"^# (.*)", text, re.MULTILINE)[1].replace("`", "")


def tracked(folder):
    asked = ["git", "ls-files", "--cached", "--others", "--exclude-standard", folder]
    return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.split()


def parts():
    """The headings of the index, and the pages that the rows below each name."""
    sections = re.split(r"^## ", text_of(INDEX), flags=re.MULTILINE)[1:]
    rows = [re.findall(r"^\| \[[^]]+\]\(([\w/]+\.md)\)", section, re.MULTILINE) for section in sections]
    return {section.splitlines()[0]: [f"docs/{page}" for page in pages] for section, pages in zip(sections, rows)}


def violations():
    """The page of violations without its sections, and each section as a page."""
    head, *sections = re.split(r"^## ", text_of(VIOLATIONS), flags=re.MULTILINE)
    own = {section.split("\n", 1)[0]: section for section in sections}
    pages = {}
    for code, section in own.items():
        section = re.sub(r"^##", "#", f"## {section}", flags=re.MULTILINE)
        pages[f"docs/violations/{code}.md"] = re.sub(r"\]\((?=[\w.])", "](../", section)
    return {VIOLATIONS: head, **pages}


def children(page, pages):
    """The pages below a page in the table of contents."""
    if page == RULEBOOK:
        return sorted(str(path) for path in Path("docs/reference/rulebook").glob("*.md"))
    if page == VIOLATIONS:
        return [other for other in pages if other.startswith("docs/violations/")]
    folder = f"{Path(page).parent}/"
    return [other for other in pages if page.endswith("/README.md") and other.startswith(folder) and other != page]


def write(source):
    made, folders, contents = violations(), {}, parts()
    pages = ["README.md", INDEX, *(page for part in contents.values() for page in part), *list(made)[1:]]

    def target(page, link, heading):
        path = os.path.normpath(Path(page).parent / link)
        code = f"docs/violations/{heading[1:-1].upper()}.md"
        if path == VIOLATIONS and code in made:
            return os.path.relpath(code, Path(page).parent) + ")"
        if os.path.isdir(path):
            if not os.path.isfile(f"{path}/README.md"):
                folders[path] = tracked(path)
                return os.path.relpath(f"{path}/index.md", Path(page).parent) + heading
            path += "/README.md"
        if path.endswith(".md") and path not in pages:
            pages.append(path)
        elif not path.endswith(".md"):
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, source / path)
        # A README is the index of its folder.
        return os.path.relpath(re.sub(r"README\.md$", "index.md", path), Path(page).parent) + heading

    def linked(page, text):
        pieces = CODE.split(text)
        pieces[::2] = [LINK.sub(lambda link: link[1] + target(page, link[2], link[3]), piece) for piece in pieces[::2]]
        return "".join(pieces)

    # A page that another one links to is a page, too.
    titles = {}
    for page in pages:
        text = made.get(page) or text_of(page)
        if page == VIOLATIONS:
            text = re.sub(r"\]\(#(\w+)\)", lambda link: f"](violations.md#{link[1]})", text)
        titles[page] = title(text)
        (source / page).parent.mkdir(parents=True, exist_ok=True)
        (source / page).write_text(linked(page, text), "utf-8")
    listed, summary = set(pages[:2]), [f"[{titles[page]}]({page})" for page in pages[:2]]

    def add(page, indent=""):
        if page not in listed:
            listed.add(page)
            summary.append(f"{indent}- [{titles[page]}]({page})")
            for child in children(page, pages):
                add(child, "  ")

    for heading, part in contents.items():
        summary += ["", f"# {heading}", ""]
        for page in part:
            add(page)
    summary += ["", "# The repository", ""]
    for page in pages:
        add(page)
    for folder, files in sorted(folders.items()):
        lines = [f"- [{file.removeprefix(folder + '/')}]({file.removeprefix(folder + '/')})" for file in files if not file.endswith(".md")]
        (source / folder).mkdir(parents=True, exist_ok=True)
        (source / folder / "index.md").write_text(linked(f"{folder}/index.md", f"# {folder}\n\n" + "\n".join(lines) + "\n"), "utf-8")
        summary.append(f"- [{folder}]({folder}/index.md)")
    shutil.copytree("docs/pictures", source / "docs/pictures", dirs_exist_ok=True)
    (source / "SUMMARY.md").write_text("\n".join(["# Summary", "", *summary, ""]), "utf-8")


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
