// Package model is what a provider of language models implements, and what the engine gives it: requests, replies, prices and errors.
//
// A [Provider] answers one [Request] with one [Reply]; a [Streamer] also reports the reply while it is written. A call that failed is an
// [*Error], whose class says whether the engine repeats the call. An [Opener] makes a [Model] ready before a run starts: there a key that
// is missing is a [*CredentialError]. A provider in a Go module of its own is a type Part with a method Openers, which agentc.yaml names
// (providers: {acme: {import: example.com/acme}}).
//
// The package imports no other public package of agentc.
package model
