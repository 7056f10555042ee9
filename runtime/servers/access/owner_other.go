//go:build !unix

package access

import "io/fs"

// checkOwner returns why a file cannot be used; who can write it is not known on this system.
func checkOwner(info fs.FileInfo) (problem string) {
	if !info.Mode().IsRegular() {
		return "it is not a file"
	}

	return ""
}
