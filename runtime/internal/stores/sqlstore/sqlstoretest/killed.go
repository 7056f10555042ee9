package sqlstoretest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	goruntime "runtime"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// heldRun is the variable with the run that a process is to hold until it is killed.
const heldRun = "AGENTC_SQLSTORE_TEST_RUN"

// holdRun creates a run, reports that it owns it, and keeps it.
func holdRun(store journal.Store, run string) error {
	file, err := store.Create(context.Background(), run)
	if err != nil {
		return err
	}
	if err := errors.Join(file.Append([]byte("a")), file.Sync()); err != nil {
		return err
	}
	fmt.Println("held")
	select {} // the goroutine that renews the lease works on
}

// startHolding starts a process that owns a run of a store.
func startHolding(t *testing.T, store, run string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asServer+"="+store, heldRun+"="+run)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	_, err = bufio.NewReader(out).ReadString('\n')
	must(t, err)

	return cmd
}

// killed: the run of an owner that was killed on this machine is free at once, however long its lease lasts.
func (k Kind) killed(t *testing.T) {
	empty := k.Empty(t)
	address, raw := withLease(empty, time.Hour), k.Raw(t, empty)
	owners := map[string]*exec.Cmd{}
	for _, run := range []string{"removed", "resumed", "retaken"} {
		owners[run] = startHolding(t, address, run)
	}
	store := k.open(t, address)
	for run, owner := range owners {
		refused(t, store, run)
		must(t, owner.Process.Kill())
		_ = owner.Wait() // it was killed
	}
	if goruntime.GOOS != "linux" && goruntime.GOOS != "darwin" {
		refused(t, store, "resumed")
		return
	}

	if owned, err := store.Owned(t.Context(), "resumed"); owned || err != nil {
		t.Errorf("Owned of the run of a dead owner: %v, %v", owned, err)
	}
	file, err := store.Open(t.Context(), "resumed")
	must(t, err)
	if at := file.(journal.Leased).Renewed(); !at.IsZero() {
		t.Errorf("an owner that is dead may be at work since %v", at)
	}
	add(t, file, "b")
	has(t, store, "resumed", "ab")
	refused(t, k.open(t, address), "resumed")
	must(t, errors.Join(file.Close(), store.Remove(t.Context(), "removed")))

	execute(t, raw, "UPDATE agentc_runs SET fence = 5 WHERE run = 'retaken'") // as version 2 takes a run
	refused(t, store, "retaken")
}
