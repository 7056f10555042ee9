//go:build !unix

package files

// noWait is for systems on which pipes lie in folders.
const noWait = 0
