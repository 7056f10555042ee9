//go:build !unix

package postgrestest

import "os/exec"

// unprivileged leaves the user to the system.
func unprivileged(*exec.Cmd, string) error { return nil }
