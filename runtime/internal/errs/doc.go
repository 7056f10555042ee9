// Package errs asks errors for their types.
package errs
