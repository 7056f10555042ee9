// Package model is the interface between the engine and providers of language models: requests, replies, prices and
// errors. Import it to add a provider of your own.
//
// A [Provider] answers one [Request] with one [Reply]; a [Streamer] also reports the reply while it is being written.
// A failed call returns an [*Error], whose class decides whether the engine repeats it. An [Opener] prepares a
// [Model] before a run starts and reports a missing key as [*CredentialError]. A provider in a Go module of its own
// exports a function Open, an [Opener], and agentc.yaml names its package (providers: {acme: {import:
// example.com/acme}}).
//
// This package imports no other public package of agentc.
package model
