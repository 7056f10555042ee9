package temporal_test

import (
	"context"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/temporal"
)

// TestStoppedInTheMidstOfADeed: a worker that is told to end lets what is under way end, so that nobody has to be asked what became of
// it; another worker goes on with the run.
func TestStoppedInTheMidstOfADeed(t *testing.T) {
	s := serve(t)
	dir := t.TempDir()
	t.Setenv(folderVariable, dir)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	p, o := doer(), quick(temporal.Files(t.TempDir()))
	o.Queue = t.Name()
	c := s.dial(t, p, o)
	working, leaves := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- work(working, c) }()
	run, err := c.Start(ctx, temporal.StartOptions{Input: "x"})
	if err != nil {
		t.Fatal(err)
	}
	for len(lines(t, dir, "deeds")) == 0 && ctx.Err() == nil {
		time.Sleep(5 * time.Millisecond)
	}
	leaves()
	select {
	case err := <-ended:
		t.Fatalf("it has ended before the deed: %v", err)
	case <-time.After(2 * time.Second):
	}
	if _, err := leave("enough"); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	go func() { _ = work(ctx, c) }()
	fin, err := c.Result(ctx, run)
	if err != nil || fin.Value != "done" {
		t.Errorf("finished with %+v, %v", fin, err)
	}
	if deeds := lines(t, dir, "deeds"); len(deeds) != 1 {
		t.Errorf("the deed was done %d times", len(deeds))
	}
}
