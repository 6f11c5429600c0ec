#!/usr/bin/env bash
# The documentation as a site with search: target/site. Every page of docs/README.md is in it, in the order of the table
# there. Installs mdBook where it is missing.
#   site.sh [FOLDER]
. "$(dirname "$0")/lib.sh"
site=$(realpath -m "${1:-$root/target/site}")
cd "$root"
need_program mdbook
mdbook=$tools/mdbook/bin/mdbook

mkdir -p "$work/book/src"
cp -r docs/*.md docs/rulebook docs/pictures "$work/book/src/"
{
  echo "# Summary"
  echo "[Documentation, by reader](README.md)"
  sed -n 's/^| \(\[[A-Za-z_]*\]([A-Za-z_]*\.md)\).*/- \1/p' docs/README.md
  for book in docs/rulebook/*.md; do
    echo "  - [$(sed -n '1s/^# //p' "$book")](rulebook/$(basename "$book"))"
  done
} >"$work/summary"
# The chapters of the rulebook stand below its page.
awk '/^  - /{next} {print} /RULEBOOK\.md/{while ((getline line <"'"$work/summary"'") > 0) if (line ~ /^  - /) print line}' \
  "$work/summary" >"$work/book/src/SUMMARY.md"
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
  [ "$name" = README ] || [ -s "$site/$name.html" ] || fail "$name is not in the site"
done
find "$site" -name 'searchindex*' | grep -q . || fail "the site has no search"
echo "site: $(find "$site" -name '*.html' | wc -l) pages in $site"
