#!/usr/bin/env bash
# Packs the client and the messages of canasta.v1 as one jar for Java 11 and later. Needs a JDK, protoc, its plugin of grpc-java, and
# the jars of grpc-java in one folder, as Debian has them:
#   apt install default-jdk-headless protobuf-compiler libprotobuf-dev protobuf-compiler-grpc-java-plugin libgrpc-java \
#     libprotobuf-java libnetty-java libguava-java libopencensus-java libperfmark-java libgeronimo-annotation-1.3-spec-java
#
#   pack.sh JAR [FOLDER]        FOLDER has the jars, /usr/share/java unless told
set -euo pipefail
jar=$(realpath "$1")
jars=${2:-/usr/share/java}
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

protoc -I "$here/../.." --java_out "$work" --grpc-java_out "$work" \
  --plugin=protoc-gen-grpc-java="$(command -v grpc_java_plugin)" "$here"/../../canasta/v1/*.proto
find "$work" "$here/canasta" -name '*.java' >"$work/sources"
# Debian's jars name others that it does not have; nothing else is left out.
javac --release 11 -nowarn -proc:none -d "$work/classes" -cp "$jars/*" @"$work/sources" 2>"$work/said" ||
  { cat "$work/said" >&2; exit 1; }
# A release gives the time of its commit, so that equal sources give equal bytes (Java 17 and later).
jar --create --file "$jar" ${SOURCE_DATE_EPOCH:+--date="$(date -u -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)"} -C "$work/classes" .
