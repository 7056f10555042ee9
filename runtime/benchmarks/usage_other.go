//go:build !unix

package main

import "os"

// usageOf knows nothing: the system does not tell.
func usageOf(*os.ProcessState) usage { return usage{} }
