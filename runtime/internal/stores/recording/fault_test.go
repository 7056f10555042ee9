package recording_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/stores/files/filetest"
	"github.com/agentc-dev/agentc/runtime/internal/stores/recording"
)

var errDisk = errors.New("the disk is full")

// disorder is a run whose lines do not come in the order of their addresses.
func disorder() []made {
	turns := conversation(4, 1)
	turns[1], turns[2] = turns[2], turns[1]

	return turns
}

// recordOn records two runs into a file of a disk, and counts the replies that got there as it was told.
func recordOn(disk *filetest.Disk) error {
	for _, run := range [][]made{disorder()[:2], disorder()} {
		r, err := recording.OpenOn(disk, "/r.jsonl")
		if err != nil {
			return err
		}
		s, err := r.Begin("desk", "s1", nil)
		if err != nil {
			return errors.Join(err, r.Close())
		}
		for _, m := range run {
			s.Record(m.at, &m.request, m.reply, m.err)
		}
		if err := r.Close(); err != nil {
			return err
		}
	}

	return nil
}

// readable is how many replies the file of a disk has; it must be one that can be read, or have nothing.
func readable(t *testing.T, name string, disk *filetest.Disk) int {
	t.Helper()
	text := disk.Content("/r.jsonl")
	if len(text) == 0 {
		return 0
	}
	r, err := recording.Read(bytes.NewReader(text), "r.jsonl")
	if err != nil {
		// A header may be torn: then nothing has been recorded yet.
		if !bytes.Contains(text, []byte("\n")) {
			return 0
		}
		t.Fatalf("%s: %v\n%s", name, err, text)
	}

	return r.Len()
}

// TestEveryStepFails: whichever step with the file fails, the caller is told, what is in the file can be read, and after a death in whatever
// step nothing is gone of what was recorded before.
func TestEveryStepFails(t *testing.T) {
	whole := filetest.New()
	steps := 0
	whole.Fail = func(s filetest.Step) filetest.Fault {
		steps = s.N

		return filetest.Fault{}
	}
	if err := recordOn(whole); err != nil || readable(t, "whole", whole) != 6 {
		t.Fatal(err)
	}
	for n := 1; n <= steps; n++ {
		for _, c := range []struct {
			name string
			err  error
		}{{"fault", errDisk}, {"death", filetest.ErrDead}} {
			name := fmt.Sprintf("%s in step %d of %d", c.name, n, steps)
			disk, op := filetest.New(), ""
			before := 0
			disk.Fail = func(s filetest.Step) filetest.Fault {
				if s.N != n {
					return filetest.Fault{}
				}
				op = s.Op

				return filetest.Fault{Err: c.err, Bytes: 7}
			}
			err := recordOn(disk)
			if err == nil && op != "lock" {
				t.Errorf("%s (%s): nobody was told", name, op)
			}
			before = readable(t, name, disk)
			if err == nil && before != 6 {
				t.Errorf("%s (%s): %d replies", name, op, before)
			}
			next := disk.AfterKill()
			if err := recordOn(next); err != nil {
				t.Errorf("%s (%s): the next process: %v\n%s", name, op, err, disk.Content("/r.jsonl"))
			}
			if got := readable(t, name, next); got != before+6 {
				t.Errorf("%s (%s): %d replies and 6 are %d", name, op, before, got)
			}
			readable(t, name+", power", disk.AfterCrash())
		}
	}
}
