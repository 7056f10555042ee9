//go:build !unix

package postgrestest

import "os/exec"

// dropPrivileges leaves the user to the system.
func dropPrivileges(*exec.Cmd, string) error { return nil }
