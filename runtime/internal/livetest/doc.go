// Package livetest has no code but its tests: they build examples/researcher as its users do, and run the binary against servers on
// loopback that speak the formats of OpenAI and of Anthropic. It is a module of its own, so that what such a test needs of others is no
// requirement of anybody else's.
package livetest
