package eventkind

// Functions are the functions of a reader, for the kinds whose row says Custom. They are a list, and not a map: Go links
// code and types for each type of maps into every program, and a list is only data.
type Functions[K ~string, F any] []Function[K, F]

// Function is the function for a kind.
type Function[K ~string, F any] struct {
	Kind K
	Call F
}

// Of returns the function for a kind; nil if there is none.
func (functions Functions[K, F]) Of(kind K) (call F) {
	for i := range functions {
		if functions[i].Kind == kind {
			return functions[i].Call
		}
	}

	return call
}
