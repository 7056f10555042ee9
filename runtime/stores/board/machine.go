package board

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/internal/stores/audit"
)

// MachineState is the state of a machine.
type MachineState struct {
	ID string
	// Machine is the program's name for its kind.
	Machine string
	// State is "" if the machine has ended by ~.
	State string
	Seq   uint64
	// Valid are the keys that have a transition in the state, in source order.
	Valid []string
	// Begun is false for a machine that has made no step and was not created: this is how it would begin.
	Begun bool
	// Since is when the machine entered the state, and Deadline when the timer of the state fires, zero if it has
	// none.
	Since, Deadline time.Time
	// Timers are the steps of timers that were due, and that were made before the state was read.
	Timers []drive.Step
	// Pending is the number of steps that have names in Exit or Enter and are not acknowledged: see [Board.Pending].
	Pending int
}

// Change is a step of a machine.
type Change struct {
	// ID is the id of the machine in what [Board.Pending] returns; otherwise "".
	ID string `json:"fsmId,omitempty"`
	// Seq is the machine's sequence number after the step, and Entry the number of the entry in the audit log.
	Seq   uint64 `json:"seq"`
	Entry uint64 `json:"entry"`
	// To is "" if the machine ended by ~.
	From string `json:"from"`
	To   string `json:"to,omitempty"`
	Key  string `json:"key"`
	// Exit and Enter are the names on which a host has to act because one state was left, and the other entered.
	Exit  []string `json:"exit,omitempty"`
	Enter []string `json:"enter,omitempty"`
	// Agent is the agent in the request, and Identity that of the caller's credential; a timer's steps are by
	// drive.AgentTimer.
	Agent    string          `json:"agent,omitempty"`
	Identity string          `json:"identity,omitempty"`
	Time     time.Time       `json:"time"`
	Value    string          `json:"value,omitempty"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
}

// State returns the state of a machine, after steps of timers that are due. Errors: InvalidError,
// UnknownMachineError; *drive.SnapshotError if the program no longer has the machine's state; those of storage, as
// of [Board.Transition].
func (b *Board) State(ctx context.Context, id string) (MachineState, error) {
	t, at, timers, err := b.readWithTimers(ctx, id)
	if err != nil {
		return MachineState{Timers: timers}, err
	}
	s, err := b.stateOf(t, at)
	s.Timers = timers

	return s, err
}

// stateOf asks a machine that only this call has.
func (b *Board) stateOf(t target, at *audit.Machine) (MachineState, error) {
	m, err := b.rebuildMachine(t, at)
	if err != nil {
		return MachineState{}, err
	}
	s := MachineState{ID: t.id, Machine: t.info.Name, State: m.Current(), Seq: m.Seq(), Valid: m.Valid(), Begun: at != nil}
	if at != nil {
		s.Since, s.Pending = at.Time, len(at.Pending)
		s.Deadline, _ = m.Deadline()
	}

	return s, nil
}

// rebuildMachine makes a machine as the record has it; nil is one that has not begun.
func (b *Board) rebuildMachine(t target, at *audit.Machine) (drive.Machine, error) {
	m := t.info.New(b.clock)
	if at == nil {
		return m, nil
	}

	return m, m.Restore(at.Snapshot)
}

// readWithTimers returns where the record has a machine, nil if it has not begun, after timers that are due, whose steps it returns too.
func (b *Board) readWithTimers(ctx context.Context, id string) (t target, at *audit.Machine, timers []drive.Step, err error) {
	if err := checkID(id); err != nil {
		return target{}, nil, nil, err
	}
	t, err = b.findMachine(id)
	if err != nil {
		return target{}, nil, nil, err
	}
	if err := b.readAppended(ctx); err != nil {
		return target{}, nil, nil, err
	}
	at = b.recordedMachine(t.id)
	if at == nil || !at.Due(b.clock()) {
		return t, at, nil, nil
	}
	head, err := b.recordAttempt(ctx, entrySize, func(tx *transaction) (err error) {
		_, timers, err = tx.machineAfterTimers(t)

		return err
	})
	if head == (Head{}) {
		timers = nil // they are not recorded, and have not happened
	}

	return t, b.recordedMachine(t.id), timers, err
}

func (b *Board) recordedMachine(id string) (at *audit.Machine) {
	b.log.View(func(s *audit.State) { at = s.Machines[id] })

	return at
}

// Machines returns the states of all machines that have begun, and how one of each kind would begin without an
// instance, sorted by id. It leaves out machines of other programs and those for which State returns an error.
// Errors: those of storage, as of [Board.Transition].
func (b *Board) Machines(ctx context.Context) ([]MachineState, error) {
	if err := b.readAfterTimers(ctx); err != nil {
		return nil, err
	}
	ids := slices.Clone(b.names)
	b.log.View(func(s *audit.State) {
		for id := range s.Machines {
			if !slices.Contains(b.names, id) {
				ids = append(ids, id)
			}
		}
	})
	slices.Sort(ids)
	var states []MachineState
	for _, id := range ids {
		t, err := b.findMachine(id)
		if err != nil {
			continue
		}
		if s, err := b.stateOf(t, b.recordedMachine(t.id)); err == nil {
			states = append(states, s)
		}
	}

	return states, nil
}

// Snapshot returns the snapshot of a machine. Errors: those of State.
func (b *Board) Snapshot(ctx context.Context, id string) (json.RawMessage, error) {
	t, at, _, err := b.readWithTimers(ctx, id)
	if err != nil {
		return nil, err
	}
	m, err := b.rebuildMachine(t, at)
	if err != nil {
		return nil, err
	}

	return snapshotOf(m)
}

// History returns the steps of a machine, in order; none if it has made none. Errors: those of State.
func (b *Board) History(ctx context.Context, id string) ([]Change, error) {
	_, at, _, err := b.readWithTimers(ctx, id)
	if err != nil || at == nil {
		return nil, err
	}

	return b.listChanges(at)
}

func (b *Board) listChanges(at *audit.Machine) ([]Change, error) {
	changes := make([]Change, len(at.Steps))
	for i, offset := range at.Steps {
		change, err := b.changeAt(offset)
		if err != nil {
			return nil, err
		}
		changes[i] = change
	}

	return changes, nil
}

// changeAt is the step whose line begins at an offset.
func (b *Board) changeAt(offset int64) (Change, error) {
	e, err := b.log.EntryAt(offset)

	return Change{
		Seq: e.Version, Entry: e.Seq, From: e.From, To: e.To, Key: e.Key, Exit: e.Exit, Enter: e.Enter, Agent: e.Agent,
		Identity: e.Identity, Time: e.Time, Value: e.Value, Metadata: json.RawMessage(e.Metadata),
	}, err
}

// The keys of machines on the blackboard are fsm:ID:state and fsm:ID:history; all that begin so are theirs.
const (
	machineKeys   = "fsm:"
	stateSuffix   = ":state"
	historySuffix = ":history"
)

func isMachineKey(key string) bool { return strings.HasPrefix(key, machineKeys) }

// readMachine reads fsm:ID:state, a text or null where the machine has ended, or fsm:ID:history, a list of Change.
func (b *Board) readMachine(ctx context.Context, key string) (v Value, ok bool, err error) {
	id, history, ok := cutMachineKey(key)
	if _, unknown := b.findMachine(id); !ok || unknown != nil || checkID(id) != nil {
		return Value{}, false, nil
	}
	t, at, _, err := b.readWithTimers(ctx, id)
	if err != nil || at == nil {
		return Value{}, false, err
	}
	v = Value{Key: machineKeys + t.id + stateSuffix, Version: at.Version, Time: at.Time, ReadOnly: true}
	var content any
	if at.State != "" {
		content = at.State
	}
	if history {
		v.Key = machineKeys + t.id + historySuffix
		content, err = b.listChanges(at)
		if err != nil {
			return Value{}, false, err
		}
	}
	v.JSON, err = json.Marshal(content)

	return v, err == nil, err
}

// cutMachineKey separates the id from the suffix, which is the suffix of the state unless it is the
// history's.
func cutMachineKey(key string) (id string, history, ok bool) {
	id = strings.TrimPrefix(key, machineKeys)
	id, history = strings.CutSuffix(id, historySuffix)
	if history {
		return id, true, true
	}
	id, ok = strings.CutSuffix(id, stateSuffix)

	return id, false, ok
}
