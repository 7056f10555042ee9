// Package nameindex finds names in a list in constant time.
package nameindex
