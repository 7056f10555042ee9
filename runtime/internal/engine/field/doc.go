// Package field writes and reads the fields of journal records.
package field
