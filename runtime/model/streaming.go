package model

// Streaming says whether a model is asked for its replies in parts, where someone watches.
type Streaming int8

// The settings of streaming. StreamDefault leaves it to the provider, which streams.
const (
	StreamDefault Streaming = iota
	StreamOn
	StreamOff
)
