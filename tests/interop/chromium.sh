#!/usr/bin/env bash
# Prints where Chromium is; installs Debian's, with its driver and a font, where it is not.
set -euo pipefail
if ! command -v chromedriver >/dev/null || ! command -v chromium >/dev/null; then
  apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    chromium chromium-driver fonts-dejavu-core >&2
fi
command -v chromium
