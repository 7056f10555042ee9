package board

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/agentc-dev/agentc/runtime/internal/audit"
)

// Obligation is a step of a machine that has names in Exit or Enter, on which a host has to act. An acknowledgement
// names its Entry. The entry that begins a machine is one too if its initial state has names; it has no Key and no
// From.
type Obligation struct {
	// ID is the id of the machine.
	ID string `json:"fsmId"`
	Change
}

// Pending returns the steps of a machine that have names to act on and are not acknowledged, in order; with an empty
// id those of all machines. Steps of timers that are due are made before. What is returned is on disk, and every
// process gets it again until it is acknowledged: a host that acts on it and dies before that finds by Entry whether
// it already has. Errors: those of State.
func (b *Board) Pending(ctx context.Context, id string) ([]Obligation, error) {
	if id != "" {
		t, at, _, err := b.look(ctx, id)
		if err != nil || at == nil {
			return nil, err
		}

		return b.obligations(t.id, at)
	}
	if err := b.ticked(ctx); err != nil {
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
	var all []Obligation
	for _, m := range machines {
		some, err := b.obligations(m.ID, m)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.SortFunc(all, func(x, y Obligation) int { return cmp.Compare(x.Entry, y.Entry) })

	return all, nil
}

func (b *Board) obligations(id string, at *audit.Machine) ([]Obligation, error) {
	all := make([]Obligation, len(at.Pending))
	for i, p := range at.Pending {
		change, err := b.changeAt(p.At)
		if err != nil {
			return nil, err
		}
		all[i] = Obligation{ID: id, Change: change}
	}

	return all, nil
}

// AckRequest acknowledges steps of a machine.
type AckRequest struct {
	// ID identifies the machine.
	ID string
	// Entries are the entries of the steps, as [Board.Pending] returns them.
	Entries []uint64
	// Agent and Identity identify the caller, as in Request.
	Agent, Identity string
}

// Acknowledge records that the host has acted on some steps, and returns which of them were pending; others are
// ignored, so that a request can be repeated. Errors: InvalidError, UnknownMachineError, IdentityError, and those
// of storage, as of [Board.Transition].
func (b *Board) Acknowledge(ctx context.Context, r AckRequest) (acknowledged []uint64, head Head, err error) {
	if err := checkID(r.ID); err != nil {
		return nil, Head{}, err
	}
	if err := checkWho(r.Agent, r.Identity); err != nil {
		return nil, Head{}, err
	}
	t, err := b.find(r.ID)
	if err != nil {
		return nil, Head{}, err
	}
	head, err = b.do(ctx, entrySize, func(tx *transaction) error {
		e := audit.Entry{Kind: audit.Ack, ID: t.id, Agent: r.Agent, Identity: r.Identity}
		if err := CheckIdentity(r.Agent, r.Identity); err != nil {
			return tx.refuse(e, err)
		}
		if acknowledged = tx.pending(t.id, r.Entries); len(acknowledged) == 0 {
			return nil
		}
		list, err := json.Marshal(acknowledged)
		e.Value, e.Result = string(list), audit.Accepted
		tx.add(e)

		return err
	})
	if err != nil {
		acknowledged = nil
	}

	return acknowledged, head, err
}

// pending are those of some entries that are not acknowledged, in order.
func (tx *transaction) pending(id string, entries []uint64) (found []uint64) {
	at := tx.b.recorded(id)
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
