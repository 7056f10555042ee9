package runtime

import "errors"

// ErrorType is the code of err, such as StuckError: what events, journals, HTTP and MCP call it. An error gives its own code by a
// method ErrorType() string; of a wrapped or joined error it is the first, outermost, that has one. Any other error is "error".
// The codes of this module, when they occur and what to do, are listed in the package's README.
func ErrorType(err error) string {
	var coded interface {
		error
		ErrorType() string
	}
	if errors.As(err, &coded) {
		return coded.ErrorType()
	}

	return "error"
}
