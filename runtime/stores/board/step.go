package board

import (
	"context"

	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/internal/stores/audit"
)

// Result is the result of an attempt.
type Result struct {
	// ID is the id of the machine, as the audit log spells it.
	ID string
	// Step is the step that the machine made; zero if it refused.
	Step drive.Step
	// Timers are the steps that were due before it, and were made whether or not it was refused.
	Timers []drive.Step
	// Head is the end of the audit log with the attempt, refused or not; zero if it could not be recorded.
	Head Head
	// BlackboardWritten reports that fsm:ID:state and fsm:ID:history show the step.
	BlackboardWritten bool
}

// Transition makes a step of a machine. The result is recorded even if the machine refuses; with an error its state
// is unchanged. Errors: InvalidError and TooLargeError, which are not recorded; UnknownMachineError,
// IdentityError; what [drive.Machine.Try] returns; *StoreError, *LockError and *DamagedError, if the step cannot be
// recorded and has not happened; the cause of ctx.
func (b *Board) Transition(ctx context.Context, r Request) (Result, error) {
	if err := r.check(); err != nil {
		return Result{ID: r.ID}, err
	}
	result := Result{}
	head, err := b.recordAttempt(ctx, len(r.Metadata)+len(r.Attempt.Value)+entrySize, func(tx *transaction) error {
		return tx.decideStep(r, &result)
	})
	if head == (Head{}) {
		return Result{ID: r.ID}, err
	}
	result.Head = head

	return result, err
}

// entrySize is about what an entry needs beside what a request brings.
const entrySize = 1 << 10

// decideStep decides about a step. What it puts into the result counts once the transaction is recorded.
func (tx *transaction) decideStep(r Request, result *Result) error {
	e := audit.Entry{
		Kind: audit.Transition, ID: r.ID, Agent: r.Attempt.Agent, Identity: r.Identity,
		Key: r.Attempt.Key, To: r.Attempt.To, Value: r.Attempt.Value, Metadata: string(r.Metadata),
	}
	if r.Attempt.Seq != 0 {
		e.Expected = &r.Attempt.Seq
	}
	t, err := tx.resolveTarget(&e)
	result.ID = e.ID
	if err != nil {
		return tx.addRefusal(e, err)
	}
	m, timers, err := tx.machineAfterTimers(t)
	result.Timers = timers
	if err != nil {
		return tx.addRefusal(e, err)
	}
	e.From, e.Version = m.Current(), m.Seq()
	attempt := r.Attempt
	attempt.Agent = r.Identity
	result.Step, err = tx.tryStep(t, m, e, attempt)
	result.BlackboardWritten = err == nil

	return err
}

// resolveTarget finds the machine that an entry is about, whose name it completes, and checks who asks.
func (tx *transaction) resolveTarget(e *audit.Entry) (target, error) {
	t, err := tx.b.findMachine(e.ID)
	if err != nil {
		return target{}, err
	}
	e.ID = t.id

	return t, CheckIdentity(e.Agent, e.Identity)
}

// machineAfterTimers returns a machine after the steps of its timers that are due.
func (tx *transaction) machineAfterTimers(t target) (m drive.Machine, timers []drive.Step, err error) {
	err = tx.callMachine(t.id, func() error {
		var begun bool
		m, begun, err = tx.currentMachine(t)
		if err != nil || !begun {
			return err
		}
		timers, err = tx.runDueTimers(t.id, m)

		return err
	})

	return m, timers, err
}

// tryStep makes the step, with the entry that begins the machine if it had not begun, and records it.
func (tx *transaction) tryStep(t target, m drive.Machine, e audit.Entry, attempt drive.Attempt) (drive.Step, error) {
	var step drive.Step
	before := len(tx.entries)
	err := tx.callMachine(t.id, func() (err error) {
		err = tx.beginMachine(t, m, e)
		if err != nil {
			return err
		}
		step, err = m.Try(attempt)
		if err != nil {
			return err
		}
		done := e
		done.Key, done.From, done.To, done.Exit, done.Enter = step.Key, step.From, step.To, step.Exit, step.Enter

		return tx.addStepEntry(done, m)
	})
	if err != nil {
		tx.takeBack(t.id, before)
		return drive.Step{}, tx.addRefusal(e, err)
	}

	return step, nil
}

// beginMachine adds the entry with which a machine begins, unless it has begun.
func (tx *transaction) beginMachine(t target, m drive.Machine, by audit.Entry) error {
	if tx.hasBegun(t.id) {
		return nil
	}

	e := audit.Entry{Kind: audit.Create, ID: t.id, Agent: by.Agent, Identity: by.Identity, To: m.Current()}
	if first, ok := m.(interface{ Entered() []string }); ok {
		e.Enter = first.Entered()
	}

	return tx.addStepEntry(e, m)
}

// hasBegun reports whether a machine has begun.
func (tx *transaction) hasBegun(id string) (begun bool) {
	_, begun = tx.snapshots[id]
	if begun {
		return true
	}
	tx.b.log.View(func(s *audit.State) { begun = s.Machines[id] != nil })

	return begun
}

// takeBack drops the entries from a place on: a machine begins only with a step that is accepted.
func (tx *transaction) takeBack(id string, from int) {
	if len(tx.entries) == from {
		return
	}
	tx.entries = tx.entries[:from]
	delete(tx.snapshots, id)
	tx.b.live.forget(id)
}

// Create begins a machine without a step. Errors: BegunError, and those of Transition.
func (b *Board) Create(ctx context.Context, id, agent, identity string) (Result, error) {
	r := Request{ID: id, Attempt: drive.Attempt{Agent: agent}, Identity: identity}
	if err := r.check(); err != nil {
		return Result{ID: id}, err
	}
	head, err := b.recordAttempt(ctx, entrySize, func(tx *transaction) error {
		e := audit.Entry{Kind: audit.Create, ID: id, Agent: agent, Identity: identity}
		t, err := tx.resolveTarget(&e)
		id = e.ID
		if err == nil && tx.hasBegun(id) {
			err = newRefusal("BegunError", audit.Rejected, "machine %q has begun already", id)
		}
		if err == nil {
			err = tx.callMachine(id, func() error { return tx.beginMachine(t, t.info.New(tx.b.live.clock), e) })
		}
		if err != nil {
			return tx.addRefusal(e, err)
		}

		return nil
	})

	return Result{ID: id, Head: head, BlackboardWritten: err == nil}, err
}
