#!/usr/bin/env bash
# Builds the playground into a folder, which any web server can serve: the page, the sources that it edits, and the compiler.
# usage: gen/internal/playground/build.sh DIR
set -eu
into=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")"
GOOS=js GOARCH=wasm go build -trimpath -buildvcs=false '-ldflags=-s -w' -o "$into/agentc.wasm" ./wasm
gzip -9nf "$into/agentc.wasm"
cp page/* "$(go env GOROOT)/lib/wasm/wasm_exec.js" "$into"
cd ../../../examples/smart-critic
for file in *.yaml agents/*/AGENT.md; do
  mkdir -p "$into/sources/$(dirname "$file")"
  cp "$file" "$into/sources/$file"
done
