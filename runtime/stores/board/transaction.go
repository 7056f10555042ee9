package board

import (
	"bytes"
	"encoding/json"
	"runtime/debug"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/internal/stores/audit"
)

// transaction is what one turn decides: entries that are recorded together, or not at all.
type transaction struct {
	b       *Board
	now     time.Time
	head    Head // of the record before
	entries []*audit.Entry
	// values are those that the entries write; nil is one that they take away.
	values map[string]*audit.Entry
	// snapshots are the snapshots of the machines that the entries move.
	snapshots map[string]json.RawMessage
}

// commitAttempts decides about the attempts and records that. After an error nothing has happened.
func (b *Board) commitAttempts(attempts []*attempt) error {
	tx := &transaction{
		b: b, now: b.clock().UTC(), head: Head(b.log.Head()),
		values: map[string]*audit.Entry{}, snapshots: map[string]json.RawMessage{},
	}
	b.live.beginTurn(tx.now)
	tx.addExpiredEntries()
	expired := len(tx.entries)
	last := make([]int, len(attempts))
	for i, a := range attempts {
		before := len(tx.entries)
		a.err = a.decide(tx)
		last[i] = len(tx.entries) - 1
		if len(tx.entries) == before {
			last[i] = -1
		}
	}
	if len(tx.entries) == expired { // an expiry alone is not worth a write
		tx.entries = nil
	}
	if err := b.log.Append(tx.entries); err != nil {
		for id := range tx.snapshots {
			b.live.forget(id)
		}
		return err
	}
	for i, a := range attempts {
		a.head = Head(b.log.Head())
		if last[i] >= 0 {
			a.head = Head(tx.entries[last[i]].Head())
		}
	}

	return nil
}

// addEntry adds an entry, with the number that it will have.
func (tx *transaction) addEntry(e audit.Entry) *audit.Entry {
	e.Time = tx.now
	tx.entries = append(tx.entries, &e)
	e.Seq = tx.head.Seq + uint64(len(tx.entries))

	return &e
}

// addRefusal adds an entry about an attempt that was refused, and returns why.
func (tx *transaction) addRefusal(e audit.Entry, err error) error {
	e.Result, e.Error = resultOf(err), shorten(err.Error(), maxError)
	tx.addEntry(e)

	return err
}

// maxError is how much of an error is recorded, in bytes.
const maxError = 8 << 10

// shorten cuts a text, and shows that it did.
func shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}

	return strings.ToValidUTF8(text[:most], "") + " …"
}

// currentMachine returns a machine as it is after the entries so far; begun is false if it is in its initial state only in thought.
func (tx *transaction) currentMachine(t target) (m drive.Machine, begun bool, err error) {
	snapshot, moved := tx.snapshots[t.id]
	var version uint64
	if !moved {
		tx.b.log.View(func(s *audit.State) {
			if at := s.Machines[t.id]; at != nil {
				snapshot, version = at.Snapshot, at.Version
			}
		})
	}
	if m := tx.b.live.cached(t.id, version, moved); m != nil {
		return m, true, nil
	}
	m = t.info.New(tx.b.live.clock)
	if snapshot == nil {
		return m, false, nil
	}
	if err := m.Restore(snapshot); err != nil {
		return nil, false, err
	}
	tx.b.live.cache(t.id, m, version)

	return m, true, nil
}

// addStepEntry completes the entry of a step that a machine has made, and adds it.
func (tx *transaction) addStepEntry(e audit.Entry, m drive.Machine) error {
	snapshot, err := snapshotOf(m)
	if err != nil {
		tx.b.live.forget(e.ID)
		return err
	}
	e.Result, e.Snapshot, e.Version = audit.Accepted, snapshot, m.Seq()
	if at, timed := m.Deadline(); timed {
		e.Expires = at
	}
	tx.snapshots[e.ID] = snapshot
	tx.b.live.cache(e.ID, m, tx.addEntry(e).Seq)

	return nil
}

// snapshotOf returns the snapshot of a machine on one line.
func snapshotOf(m drive.Machine) (json.RawMessage, error) {
	snapshot, err := m.Snapshot()
	if err != nil {
		return nil, err
	}
	var line bytes.Buffer
	if err := json.Compact(&line, snapshot); err != nil {
		return nil, &drive.SnapshotError{Machine: m.Name(), Problem: "its own snapshot is not JSON", Err: err}
	}

	return line.Bytes(), nil
}

// callMachine calls a method of a machine. One that panics is an error, and made again from what is recorded.
func (tx *transaction) callMachine(id string, call func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			tx.b.live.forget(id)
			err = &runtime.PanicError{Where: "machine " + id, Value: v, Stack: debug.Stack()}
		}
	}()

	return call()
}
