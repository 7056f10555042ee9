package client

// What the tests of this package's behaviour read of it.

type (
	AuthError  = authError
	DriftError = driftError
	EndedError = endedError
	StartError = startError
)

var (
	Ask = ask
)
