// Package errorcodec writes errors as JSON and reads them back. The error that is read has the same
// text and code, and errors.Is and errors.As find the same errors and types in it.
package errorcodec
