package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// recoveryGoal is within how many milliseconds another process owns the run of one that was killed on the same machine.
const recoveryGoal = 200

// measureRecovery measures how long the run of a process that was killed has no owner.
func (b *journalBench) measureRecovery(name, address string, store journal.Store) {
	b.progress.say("recovery, %s", name)
	owner := b.ownerBinary()
	var passed []float64
	for i := range b.size(9, 1) {
		passed = append(passed, b.takeOver(owner, address, store, fmt.Sprint("run-", i)))
	}
	b.add("recovery, "+name+": kill -9 of the owner until another process has its run", median(passed), " ms", goal{atMost, recoveryGoal})
}

// ownerBinary builds the command owner, unless it was built before.
func (b *journalBench) ownerBinary() string {
	binary := b.path("owner.exe")
	if _, err := os.Stat(binary); err != nil {
		must(goTool(b.ctx, ".", "-buildvcs=false", "build", "-o", binary, self+"/internal/owner"))
	}

	return binary
}

// takeOver kills the owner of a run and returns after how many milliseconds this process owns it.
func (b *journalBench) takeOver(owner, address string, store journal.Store, run string) (milliseconds float64) {
	cmd := exec.CommandContext(b.ctx, owner, address, run)
	cmd.Stderr = os.Stderr
	out := must(cmd.StdoutPipe())
	check(cmd.Start())
	_, err := bufio.NewReader(out).ReadString('\n')
	killed := time.Now()
	check(errors.Join(err, cmd.Process.Kill()))
	_ = cmd.Wait() // it reports the signal
	for {
		_, w, err := journal.Open(b.ctx, store, run)
		if err == nil {
			milliseconds = time.Since(killed).Seconds() * 1e3
			check(w.Close())

			return milliseconds
		}
		if !errors.Is(err, journal.ErrRunLocked) {
			check(err)
		}
		time.Sleep(time.Millisecond)
	}
}
