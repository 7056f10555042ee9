package board

import (
	"context"
	"errors"

	"github.com/agentc-dev/agentc/runtime/internal/stores/audit"
)

// Write sets the value of a key and returns it with its version. Errors: InvalidError and TooLargeError, which are
// not recorded; VersionError, ReadOnlyError, IdentityError; those of storage, as of [Board.Transition].
func (b *Board) Write(ctx context.Context, r WriteRequest) (Value, Head, error) {
	if err := r.check(); err != nil {
		return Value{}, Head{}, err
	}
	var written Value
	head, err := b.recordAttempt(ctx, len(r.JSON)+entrySize, func(tx *transaction) error {
		e := audit.Entry{
			Kind: audit.Write, Agent: r.Agent, Identity: r.Identity, Key: r.Key, Expected: r.IfVersion, Value: string(r.JSON),
		}
		if _, err := tx.mayWrite(e); err != nil {
			return tx.addRefusal(e, err)
		}
		e.Result = audit.Accepted
		if r.TTL > 0 {
			e.Expires = tx.now.Add(r.TTL)
		}
		v := tx.addEntry(e)
		tx.values[r.Key] = v
		written = valueOf(v)

		return nil
	})
	if err != nil {
		return Value{}, head, err
	}

	return written, head, nil
}

// Delete deletes the value of a key, if it has the version; nil: any. agent and identity identify the caller, as in
// [Request]. Errors: NotFoundError, and those of Write.
func (b *Board) Delete(ctx context.Context, key string, ifVersion *uint64, agent, identity string) (Head, error) {
	if err := errors.Join(checkKey(key), checkWho(agent, identity)); err != nil {
		return Head{}, err
	}

	return b.recordAttempt(ctx, entrySize, func(tx *transaction) error {
		e := audit.Entry{Kind: audit.Delete, Agent: agent, Identity: identity, Key: key, Expected: ifVersion}
		old, err := tx.mayWrite(e)
		if err == nil && old == nil {
			err = newRefusal("NotFoundError", audit.Rejected, "key %q has no value", key)
		}
		if err != nil {
			return tx.addRefusal(e, err)
		}
		e.Result = audit.Accepted
		tx.addEntry(e)
		tx.values[key] = nil

		return nil
	})
}

// mayWrite returns the value that an entry would change, or why it must not.
func (tx *transaction) mayWrite(e audit.Entry) (old *audit.Entry, err error) {
	if isMachineKey(e.Key) {
		return nil, newRefusal("ReadOnlyError", audit.Denied,
			"key %q can only be read: keys that begin with %s change with the steps of machines", e.Key, machineKeys)
	}
	if err := CheckIdentity(e.Agent, e.Identity); err != nil {
		return nil, err
	}
	old = tx.currentEntry(e.Key)
	var have uint64
	if old != nil {
		have = old.Seq
	}
	if e.Expected != nil && *e.Expected != have {
		return nil, otherVersion(e.Key, *e.Expected, have)
	}

	return old, nil
}

// currentEntry is the value of a key after the entries so far; nil if it has none.
func (tx *transaction) currentEntry(key string) *audit.Entry {
	v, written := tx.values[key]
	if !written {
		tx.b.log.View(func(s *audit.State) { v = s.Values[key] })
	}
	if v == nil || v.Expired(tx.now) {
		return nil
	}

	return v
}

// addExpiredEntries adds an entry for each value whose time is over.
func (tx *transaction) addExpiredEntries() {
	for _, v := range tx.b.log.Expired(tx.now) {
		tx.addEntry(audit.Entry{Kind: audit.Expire, Result: audit.Accepted, Key: v.Key})
		tx.values[v.Key] = nil
	}
}
