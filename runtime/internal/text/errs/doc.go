// Package errs has errors that are known by their codes, and asks errors for their types.
package errs
