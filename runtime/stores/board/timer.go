package board

import (
	"context"
	"slices"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/internal/stores/audit"
)

// maxTicks is how many timers of a machine fire in one turn: more would be a circle of timers that are due at once.
const maxTicks = 1000

// runDueTimers makes the steps of a machine's timers that are due, and records them. A timer that cannot fire, as a guard says no, stays
// due, and the machine informs the caller who tries a step.
func (tx *transaction) runDueTimers(id string, m drive.Machine) (steps []drive.Step, err error) {
	for range maxTicks {
		step, fired, err := m.Tick()
		if err != nil || !fired {
			return steps, nil
		}
		e := audit.Entry{
			Kind: audit.Transition, ID: id, Agent: drive.AgentTimer, Key: step.Key, From: step.From, To: step.To,
			Exit: step.Exit, Enter: step.Enter,
		}
		if err := tx.addStepEntry(e, m); err != nil {
			return steps, err
		}
		steps = append(steps, step)
	}

	return steps, &runtime.StepLimitError{Machine: id, State: m.Current(), Steps: maxTicks}
}

// Tick makes the steps of all timers that are due, and returns the machines that made some. Errors: those of storage,
// as of [Board.Transition].
func (b *Board) Tick(ctx context.Context) (results []Result, err error) {
	for _, id := range b.listDueMachines() {
		var result Result
		head, failed := b.recordAttempt(ctx, entrySize, func(tx *transaction) error {
			t, err := tx.b.findMachine(id)
			if err != nil { // a machine of another program on the same record
				return nil
			}
			result.ID = t.id
			_, result.Timers, err = tx.machineAfterTimers(t)

			return err
		})
		if failed != nil && head == (Head{}) {
			return results, failed
		}
		if len(result.Timers) > 0 {
			result.Head, result.BlackboardWritten = head, true
			results = append(results, result)
		}
	}

	return results, nil
}

// readAfterTimers is fresh after the steps of timers that are due.
func (b *Board) readAfterTimers(ctx context.Context) error {
	if _, err := b.Tick(ctx); err != nil {
		return err
	}

	return b.readAppended(ctx)
}

// listDueMachines are the machines whose timers are due, in the order of their ids.
func (b *Board) listDueMachines() (ids []string) {
	now := b.clock()
	b.log.View(func(s *audit.State) {
		for id, m := range s.Machines {
			if m.Due(now) {
				ids = append(ids, id)
			}
		}
	})
	slices.Sort(ids)

	return ids
}
