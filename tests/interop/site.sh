#!/usr/bin/env bash
# The documentation as a site with search: target/site. Every page of docs/README.md is in it, in the order of the table
# there, each violation as a page of its own, and every link leads somewhere. Installs mdBook where it is missing.
#   site.sh [FOLDER]
. "$(dirname "$0")/lib.sh"
site=$(realpath -m "${1:-$root/target/site}")
cd "$root"
need_program mdbook
mdbook=$tools/mdbook/bin/mdbook

python3 -B tests/interop/site.py write "$work/book/src"
cat >"$work/book/book.toml" <<'TOML'
[book]
title = "Canasta"
description = "A rules service and a referee for the Canasta family of card games"

[output.html]
preferred-dark-theme = "navy"

[output.html.fold]
enable = true
TOML
"$mdbook" build "$work/book" --dest-dir "$site" 2>&1 | tail -n 3
git ls-files --cached --others --exclude-standard 'docs/*.md' | sed 's/README\.md$/index.md/' | while read -r page; do
  [ -s "$site/${page%.md}.html" ] || fail "$page is not in the site"
done
[ "$(find "$site/docs/violations" -name '*.html' | wc -l)" -gt 100 ] || fail "violations have no pages of their own"
grep -q 'src="docs/pictures/table.png"' "$site/index.html" || fail "the first page has no picture"
python3 -B tests/interop/site.py check "$site"
find "$site" -name 'searchindex*' | grep -q . || fail "the site has no search"
echo "site: $(find "$site" -name '*.html' | wc -l) pages in $site"
