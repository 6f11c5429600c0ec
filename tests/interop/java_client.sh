#!/usr/bin/env bash
# A client in Java, generated from the proto files alone. Needs a JDK (one is installed where there is none), and installs
# protoc, its plugin and grpc-java from Debian's packages.   java_client.sh CANASTA_SERVICE
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")/../.."

packages="protobuf-compiler libprotobuf-dev protobuf-compiler-grpc-java-plugin libgrpc-java libprotobuf-java libnetty-java
  libguava-java libopencensus-java libperfmark-java libgeronimo-annotation-1.3-spec-java"
command -v javac >/dev/null || packages="$packages default-jdk-headless"
# shellcheck disable=SC2086
if ! dpkg -s $packages >/dev/null 2>&1; then
  apt-get update -qq
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages >/dev/null
fi
work=$(mktemp -d)
trap 'kill "${service:-}" 2>/dev/null || true; rm -rf "$work"' EXIT
mkdir "$work/gen" "$work/out"
protoc -I proto -I tests/interop/java --java_out "$work/gen" --grpc-java_out "$work/gen" \
  --plugin=protoc-gen-grpc-java="$(command -v grpc_java_plugin)" proto/canasta/v1/*.proto tests/interop/java/google_rpc.proto
jars=/usr/share/java
classes=$work/out
for jar in grpc-api grpc-context grpc-core grpc-stub grpc-protobuf grpc-protobuf-lite grpc-netty protobuf guava netty-buffer \
  netty-codec netty-codec-http netty-codec-http2 netty-common netty-handler netty-handler-proxy netty-resolver netty-transport \
  perfmark-api opencensus-api geronimo-annotation-1.3-spec jsr305 failureaccess; do
  [ ! -e "$jars/$jar.jar" ] || classes=$classes:$jars/$jar.jar
done
find "$work/gen" -name '*.java' > "$work/sources"
javac -nowarn -proc:none -d "$work/out" -cp "$classes" @"$work/sources" tests/interop/java/FirstGame.java 2>&1 | grep -v '^Note:' || true

exec {said}< <("$program" --listen 127.0.0.1:0 --drain-notice-ms 0 2>&1)
service=$!
read -r line <&"$said"
timeout 120 java -cp "$classes" FirstGame "${line##* }"
