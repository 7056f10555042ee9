//go:build !unix

package client

import "os/exec"

// common are the variables that programs need to run.
var common = []string{
	"PATH", "PATHEXT", "SystemRoot", "SystemDrive", "ComSpec", "TEMP", "TMP", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "USERNAME",
	"HOMEDRIVE", "HOMEPATH", "PROGRAMFILES", "PROCESSOR_ARCHITECTURE", "home", "path",
}

// setProcessGroup does nothing: what a command starts has to end with it by itself.
func setProcessGroup(*exec.Cmd) {}

func terminateGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
func killGroup(cmd *exec.Cmd)      { _ = cmd.Process.Kill() }
