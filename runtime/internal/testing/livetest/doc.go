// Package livetest shows examples/researcher at work: it builds the program as its users do, with
// the MCP server of its skill, and runs it against servers on loopback that speak the formats of
// OpenAI and of Anthropic, and against a collector that decodes its trace. Command show prints the
// result. It is a module of its own, so that what it needs of others is no requirement of anybody
// else's.
package livetest
