// Package board has what package [github.com/agentc-dev/agentc/runtime/board] offers, and what our servers need besides.
package board
