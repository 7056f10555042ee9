package model

// Streaming is whether a model's replies are requested in parts, if there is an observer.
type Streaming int8

// The settings of streaming. StreamDefault leaves it to the provider, which streams.
const (
	StreamDefault Streaming = iota
	StreamOn
	StreamOff
)
