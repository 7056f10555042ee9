package errs

import (
	"errors"
	"slices"
)

// Is reports whether err is a T, or wraps one.
func Is[T error](err error) bool {
	var target T

	return errors.As(err, &target)
}

// Has reports whether err, or an error that it wraps, has one of the codes.
func Has(err error, codes ...string) bool {
	if coded, ok := err.(interface{ ErrorType() string }); ok && slices.Contains(codes, coded.ErrorType()) {
		return true
	}
	switch err := err.(type) {
	case interface{ Unwrap() error }:
		return Has(err.Unwrap(), codes...)
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(err.Unwrap(), func(one error) bool { return Has(one, codes...) })
	}

	return false
}
