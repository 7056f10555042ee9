package errs

import "errors"

// Is reports whether err is a T, or wraps one.
func Is[T error](err error) bool {
	var target T

	return errors.As(err, &target)
}
