package verify

// What compares one file.
var (
	Agent  = agent
	Shared = shared
	Tests  = tests
)
