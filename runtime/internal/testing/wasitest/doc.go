// Package wasitest runs what `agentc build --target wasip1/wasm` makes under a WASI runtime. It is a module of its own, so that nothing
// else needs that runtime.
package wasitest
