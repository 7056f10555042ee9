//go:build !unix

package files

// noWait is for systems on which pipes are in folders.
const noWait = 0
