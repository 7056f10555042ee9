package runtime

import "errors"

// ErrorType returns the code of err, such as StuckError, by which events, journals, HTTP and MCP identify it. An
// error type defines its code by a method ErrorType() string; of a wrapped or joined error the outermost, first code
// counts. The code of any other error is "error". The package's README lists the codes of this module, when they
// occur and what to do.
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
