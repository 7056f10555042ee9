package board

import (
	"encoding/json"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// desk is a small machine as a compiler would make it: draft, review, done, with a timer in review, a guard, and a key that only
// a reviewer may fire.
type desk struct {
	clock    func() time.Time
	state    string
	seq      uint64
	deadline time.Time
}

type deskRow struct{ key, to string }

var deskRows = map[string][]deskRow{
	"draft":  {{"submit", "review"}, {"edit", "draft"}, {"panic", "draft"}, {"break", "draft"}},
	"review": {{"approve", "done"}, {"reject", "draft"}, {"timeout", "draft"}},
	"done":   {{"close", ""}},
}

const deskTimeout = 30 * time.Second

func newDesk(clock func() time.Time) drive.Machine {
	return &desk{clock: clock, state: "draft", seq: 1}
}

// deskProgram has the machine under two names.
func deskProgram() *compiled.Program {
	return &compiled.Program{Name: "test", Machines: []compiled.Machine{
		{Name: "front-desk", New: newDesk}, {Name: "desk", New: newDesk},
	}}
}

func (d *desk) Name() string    { return "desk" }
func (d *desk) Current() string { return d.state }
func (d *desk) Seq() uint64     { return d.seq }

func (d *desk) FireKey(key string) error {
	_, err := d.Try(drive.Attempt{Key: key})
	return err
}

func (d *desk) Valid() (keys []string) {
	for _, r := range deskRows[d.state] {
		keys = append(keys, r.key)
	}
	return keys
}

var errBroken = errors.New("the database is away")

func (d *desk) Try(a drive.Attempt) (drive.Step, error) {
	if a.Seq != 0 && a.Seq != d.seq {
		return drive.Step{}, &drive.StaleError{Machine: "desk", Want: a.Seq, Have: d.seq}
	}
	if a.Key == "approve" && a.Agent != "rita" {
		return drive.Step{}, &drive.AccessError{Machine: "desk", State: d.state, Key: a.Key, Agent: a.Agent}
	}
	i := slices.IndexFunc(deskRows[d.state], func(r deskRow) bool { return r.key == a.Key || a.Key == "" && r.to == a.To })
	if i < 0 {
		return drive.Step{}, &runtime.InvalidTransitionError{Machine: "desk", State: d.state, Key: a.Key, Valid: d.Valid()}
	}
	row := deskRows[d.state][i]
	switch {
	case row.key == "panic":
		panic("the guard fell over")
	case row.key == "break":
		return drive.Step{}, &runtime.GuardError{Machine: "desk", State: d.state, Key: a.Key, Guard: "stock", Err: errBroken}
	case row.key == "submit" && a.Value == "empty":
		return drive.Step{}, &runtime.GuardRejectedError{Machine: "desk", State: d.state, Key: a.Key}
	}

	return d.step(row, a.Agent), nil
}

func (d *desk) step(row deskRow, agent string) drive.Step {
	step := drive.Step{Machine: "desk", From: d.state, To: row.to, Key: row.key, Agent: agent, Seq: d.seq + 1}
	d.state, d.seq, d.deadline = row.to, d.seq+1, time.Time{}
	if d.state == "review" {
		d.deadline = d.clock().Add(deskTimeout)
	}
	return step
}

func (d *desk) Can(a drive.Attempt) (drive.Step, error) {
	copied := *d
	return copied.Try(a)
}

func (d *desk) Snapshot() (json.RawMessage, error) {
	// It is written on several lines on purpose.
	return json.MarshalIndent(deskSnapshot{"fsm", d.state, d.seq, d.deadline}, "", "  ")
}

type deskSnapshot struct {
	Type     string    `json:"type"`
	Current  string    `json:"current_state"`
	Seq      uint64    `json:"seq"`
	Deadline time.Time `json:"deadline,omitzero"`
}

func (d *desk) Restore(snapshot json.RawMessage) error {
	var s deskSnapshot
	if err := json.Unmarshal(snapshot, &s); err != nil {
		return &drive.SnapshotError{Machine: "desk", Err: err}
	}
	if _, known := deskRows[s.Current]; !known && s.Current != "" {
		return &drive.SnapshotError{Machine: "desk", Problem: "unknown state " + s.Current}
	}
	d.state, d.seq, d.deadline = s.Current, s.Seq, s.Deadline
	return nil
}

func (d *desk) Signal(signals.Signal) (drive.Decision, error) { return drive.Decision{}, nil }

func (d *desk) Deadline() (at time.Time, ok bool) { return d.deadline, !d.deadline.IsZero() }

func (d *desk) Tick() (step drive.Step, fired bool, err error) {
	if d.deadline.IsZero() || d.clock().Before(d.deadline) {
		return drive.Step{}, false, nil
	}
	return d.step(deskRow{"timeout", "draft"}, drive.AgentTimer), true, nil
}

// handClock is a clock that tests move.
type handClock struct{ nanos atomic.Int64 }

func newHandClock() *handClock {
	c := &handClock{}
	c.nanos.Store(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).UnixNano())
	return c
}

func (c *handClock) Now() time.Time        { return time.Unix(0, c.nanos.Load()).UTC() }
func (c *handClock) pass(by time.Duration) { c.nanos.Add(int64(by)) }
