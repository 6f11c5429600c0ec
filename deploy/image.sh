#!/usr/bin/env bash
# Builds the container image of canasta-service, canasta-recorder or canasta-auditor from a program that is already built
# (cargo build --release --bin canasta-service).
#
#   deploy/image.sh PROGRAM ARCHIVE      writes an OCI archive: podman load -i ARCHIVE, skopeo copy oci-archive:ARCHIVE ...
#   deploy/image.sh PROGRAM --context DIR   only what the image is built from, for `docker build -f deploy/Containerfile DIR`
#                                        (deploy/Containerfile.recorder, deploy/Containerfile.auditor)
#
# The image's labels name the version that the program tells, and the commit of this folder.
#
# The archive needs buildah. The image's root holds the program, the libraries that `ldd` names, the two files that names are
# resolved with and, but for the service, this machine's list of certificate authorities.
set -euo pipefail
program=$(realpath "$1")
name=$(basename "$program")
here=$(cd "$(dirname "$0")" && pwd)

lay() {
  local root=$1/root library
  mkdir -p "$root/etc"
  # What volumes begin as. Not every builder heeds COPY's --chmod, but all keep the mode of a folder in what is copied.
  install -d -m 700 "$1/volumes/data" "$1/volumes/archive"
  cp "$program" "$root/$name"
  # Where a library is looked for is where it lies here; the loader is named by the program itself.
  ldd "$program" | grep -o '/[^ ]*' | while read -r library; do
    install -D -m 755 "$(realpath "$library")" "$root$library"
  done
  printf '127.0.0.1 localhost\n::1 localhost\n' >"$root/etc/hosts"
  printf 'hosts: files dns\n' >"$root/etc/nsswitch.conf"
  if [ "$name" != canasta-service ]; then
    # Who may sign the certificate of an archive behind https.
    install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  fi
  chmod 755 "$root" "$root/etc" "$root/$name"
  chmod 644 "$root/etc/hosts" "$root/etc/nsswitch.conf"
}

if [ "$2" = --context ]; then
  lay "$3"
  exit
fi

# Without a repository (an unpacked archive of the sources) there is no commit to name.
revision=$(git -C "$here" rev-parse HEAD 2>/dev/null || true)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
lay "$work"
file=$here/Containerfile
[ "$name" = canasta-service ] || file=$file.${name#canasta-}
# No daemon, no privileges beyond chroot, no registry.
image=$(buildah --root "$work/store" --runroot "$work/run" --storage-driver vfs bud --isolation chroot --quiet \
  --timestamp 0 --build-arg "VERSION=$("$program" --version | cut -d ' ' -f 2)" --build-arg "REVISION=$revision" --file "$file" "$work")
buildah --root "$work/store" --runroot "$work/run" --storage-driver vfs push --quiet "$image" "oci-archive:$2:$name"
