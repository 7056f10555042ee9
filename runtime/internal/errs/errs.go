package errs

import "errors"

func Is[T error](err error) bool {
	var target T

	return errors.As(err, &target)
}
