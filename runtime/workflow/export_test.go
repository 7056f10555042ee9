package workflow

// What the tests of this package call by itself, and programs do not.
var (
	ParsePath     = parsePath
	MergeBranches = mergeBranches
)
