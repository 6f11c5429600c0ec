#!/usr/bin/env bash
# A client in Java, generated from the proto files alone. Needs a JDK (one is installed where there is none), and installs
# protoc, its plugin and grpc-java from Debian's packages.   java_client.sh CANASTA_SERVICE
. "$(dirname "$0")/lib.sh"
service=$(realpath "$1")
cd "$root"

packages="protobuf-compiler libprotobuf-dev protobuf-compiler-grpc-java-plugin libgrpc-java libprotobuf-java libnetty-java
  libguava-java libopencensus-java libperfmark-java libgeronimo-annotation-1.3-spec-java"
command -v javac >/dev/null || packages="$packages default-jdk-headless"
# shellcheck disable=SC2086
dpkg -s $packages >/dev/null 2>&1 || apt_install $packages
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

serve "$service"
timeout 120 java -cp "$classes" FirstGame "$address"
