# Packs the packages of proto/clients as RELEASING.md says, from a copy that has nothing else. After lib.sh.

# pack_python: sets $wheel, made from the source distribution, as PyPI has both.
pack_python() {
  copy_sources
  need_python
  alone "$python" -m pip install --quiet --disable-pip-version-check build==1.3.0
  "$python" -m build --outdir "$work/packed" "$sources/proto/clients/python" >"$work/built" 2>&1 || fail "$(tail -20 "$work/built")"
  wheel=$(echo "$work"/packed/*.whl)
}

# pack_typescript: sets $tarball.
pack_typescript() {
  copy_sources
  need_web
  mkdir -p "$work/packed"
  ln -s "$tools/web/node_modules" "$sources/proto/clients/typescript/node_modules"
  (cd "$sources/proto/clients/typescript" && PATH=$tools/web/node_modules/.bin:$PATH npm pack --silent --pack-destination "$work/packed" >/dev/null)
  tarball=$(echo "$work"/packed/canasta-client-*.tgz)
}

# pack_java: sets $jar, and $classes, which are it and what it needs.
pack_java() {
  # The packages that pack.sh names.
  packages=$(sed -n '/apt install/,/[^\\]$/p' "$root/proto/clients/java/pack.sh" | tr -d '#\\' | sed 's/.*apt install//')
  # shellcheck disable=SC2086
  dpkg -s $packages >/dev/null 2>&1 || apt_install $packages
  mkdir -p "$work/packed"
  jar=$work/packed/canasta-client.jar
  classes=$jar:/usr/share/java/*
  bash "$root/proto/clients/java/pack.sh" "$jar"
}

copy_sources() {
  sources=$work/sources
  [ ! -d "$sources" ] || return 0
  mkdir "$sources"
  (cd "$root" && git ls-files -z --cached --others --exclude-standard proto LICENSE-APACHE LICENSE-MIT | xargs -0 cp --parents -t "$sources")
}
