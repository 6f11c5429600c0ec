#!/usr/bin/env bash
# The documentation as a site with search: target/site. Every page of docs/README.md is in it, in the order of the table
# there, and every link leads somewhere. Installs mdBook where it is missing.
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
for page in docs/*.md; do
  name=$(basename "$page" .md)
  [ "$name" = README ] || [ -s "$site/docs/$name.html" ] || fail "$name is not in the site"
done
python3 -B tests/interop/site.py check "$site"
find "$site" -name 'searchindex*' | grep -q . || fail "the site has no search"
echo "site: $(find "$site" -name '*.html' | wc -l) pages in $site"
