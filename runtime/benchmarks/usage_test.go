package main

import (
	"os/exec"
	"runtime"
	"testing"
)

// TestPeakOfCommand: the memory of a command is its own, also when the process that starts it has held more.
func TestPeakOfCommand(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only on Linux does a command start with the peak of the process that starts it")
	}
	const held = 200 << 20
	large := make([]byte, held)
	for i := range large {
		large[i] = 1
	}
	runtime.KeepAlive(large)
	large = nil

	forgetPeak()
	cmd := exec.Command("go", "version")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if peak := usageOf(cmd.ProcessState, 0).peak; peak <= 0 || peak > held/2 {
		t.Errorf("the peak of the command is %d bytes", peak)
	}
}
