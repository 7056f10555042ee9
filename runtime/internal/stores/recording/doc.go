// Package recording has what package [github.com/agentc-dev/agentc/runtime/stores/recording] offers, and what the engine needs
// besides.
package recording
