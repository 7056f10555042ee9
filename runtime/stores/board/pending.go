package board

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/agentc-dev/agentc/runtime/internal/stores/audit"
)

// Pending returns the steps of a machine that have names in Exit or Enter, on which a host has to act, and that are not
// acknowledged, in order; the entry that begins a machine, which has no Key and no From, is one too if its initial state
// has names. With an empty
// id those of all machines. Steps of timers that are due are made before. What is returned is on disk, and every
// process gets it again until it is acknowledged: a host that acts on it and dies before that finds by Entry whether
// it already has. Errors: those of State.
func (b *Board) Pending(ctx context.Context, id string) ([]Change, error) {
	if id != "" {
		t, at, _, err := b.readWithTimers(ctx, id)
		if err != nil || at == nil {
			return nil, err
		}

		return b.listUnacknowledged(t.id, at)
	}
	if err := b.readAfterTimers(ctx); err != nil {
		return nil, err
	}
	var machines []*audit.Machine
	b.log.View(func(s *audit.State) {
		for _, m := range s.Machines {
			if len(m.Pending) > 0 {
				machines = append(machines, m)
			}
		}
	})
	var all []Change
	for _, m := range machines {
		some, err := b.listUnacknowledged(m.ID, m)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.SortFunc(all, func(x, y Change) int { return cmp.Compare(x.Entry, y.Entry) })

	return all, nil
}

func (b *Board) listUnacknowledged(id string, at *audit.Machine) ([]Change, error) {
	all := make([]Change, len(at.Pending))
	for i, p := range at.Pending {
		change, err := b.changeAt(p.At)
		if err != nil {
			return nil, err
		}
		all[i], all[i].ID = change, id
	}

	return all, nil
}

// Acknowledge records that the host has acted on some steps, and returns which of them were
// pending; others are ignored, so that a request can be repeated. entries are the entries of
// Pending; agent and identity identify the caller, as in [Request]. Errors: InvalidError,
// UnknownMachineError, IdentityError, and those of storage, as of [Board.Transition].
func (b *Board) Acknowledge(ctx context.Context, id string, entries []uint64, agent, identity string) (acknowledged []uint64, head Head, err error) {
	if err := checkID(id); err != nil {
		return nil, Head{}, err
	}
	if err := checkWho(agent, identity); err != nil {
		return nil, Head{}, err
	}
	t, err := b.findMachine(id)
	if err != nil {
		return nil, Head{}, err
	}
	head, err = b.recordAttempt(ctx, entrySize, func(tx *transaction) error {
		e := audit.Entry{Kind: audit.Ack, ID: t.id, Agent: agent, Identity: identity}
		if err := CheckIdentity(agent, identity); err != nil {
			return tx.addRefusal(e, err)
		}
		acknowledged = tx.filterPending(t.id, entries)
		if len(acknowledged) == 0 {
			return nil
		}
		list, err := json.Marshal(acknowledged)
		e.Value, e.Result = string(list), audit.Accepted
		tx.addEntry(e)

		return err
	})
	if err != nil {
		acknowledged = nil
	}

	return acknowledged, head, err
}

// filterPending returns the entries that are not acknowledged, in order.
func (tx *transaction) filterPending(id string, entries []uint64) (found []uint64) {
	at := tx.b.recordedMachine(id)
	if at == nil {
		return nil
	}
	for _, p := range at.Pending {
		if slices.Contains(entries, p.Entry) {
			found = append(found, p.Entry)
		}
	}

	return found
}
