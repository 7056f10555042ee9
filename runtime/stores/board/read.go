package board

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/stores/audit"
)

// Value is a value of the blackboard.
type Value struct {
	Key string
	// Version is the number of the audit log's entry that wrote it: it grows with every write, and is never used
	// again.
	Version uint64
	// Agent is the agent that wrote it according to its request, and Identity that of its
	// credential. For the key of a machine they are the ones of the last step.
	Agent, Identity string
	Time            time.Time
	// Expires is when the value expires; zero: never.
	Expires time.Time
	// ReadOnly reports that only steps of machines change the key.
	ReadOnly bool
	// JSON is the value byte for byte; [Board.List] leaves it out.
	JSON json.RawMessage
}

func valueOf(v *audit.Entry) Value {
	value := withoutJSON(v)
	value.JSON = json.RawMessage(v.Value)

	return value
}

func withoutJSON(v *audit.Entry) Value {
	return Value{Key: v.Key, Version: v.Seq, Agent: v.Agent, Identity: v.Identity, Time: v.Time, Expires: v.Expires}
}

// readAppended makes sure that what others have appended is read.
func (b *Board) readAppended(ctx context.Context) error {
	changed, err := b.log.Changed()
	if err != nil || !changed {
		return err
	}
	_, err = b.recordAttempt(ctx, 0, func(*transaction) error { return nil })

	return err
}

// Read returns the value of a key; ok is false if it has none. Errors: InvalidError; those of storage, as of
// [Board.Transition].
func (b *Board) Read(ctx context.Context, key string) (v Value, ok bool, err error) {
	if err := checkKey(key); err != nil {
		return Value{}, false, err
	}
	if isMachineKey(key) {
		return b.readMachine(ctx, key)
	}
	if err := b.readAppended(ctx); err != nil {
		return Value{}, false, err
	}
	now := b.clock()
	b.log.View(func(s *audit.State) {
		if at := s.Values[key]; at != nil && !at.Expired(now) {
			v, ok = valueOf(at), true
		}
	})

	return v, ok, nil
}

// Exists reports whether a key has a value. Errors: those of Read.
func (b *Board) Exists(ctx context.Context, key string) (bool, error) {
	_, ok, err := b.Read(ctx, key)

	return ok, err
}

// List returns the values of all keys that begin with a prefix, without JSON, sorted by key; those of machines are
// among them.
// Errors: those of Read.
func (b *Board) List(ctx context.Context, prefix string) ([]Value, error) {
	if err := checkText("prefix", prefix, maxKey); err != nil {
		return nil, err
	}
	if err := b.readAppended(ctx); err != nil {
		return nil, err
	}
	now := b.clock()
	found := map[string]Value{}
	b.log.View(func(s *audit.State) {
		for key, v := range s.Values {
			if strings.HasPrefix(key, prefix) && !v.Expired(now) {
				found[key] = withoutJSON(v)
			}
		}
		for id, m := range s.Machines {
			for _, suffix := range []string{stateSuffix, historySuffix} {
				if key := machineKeys + id + suffix; strings.HasPrefix(key, prefix) {
					found[key] = Value{Key: key, Version: m.Version, Time: m.Time, ReadOnly: true}
				}
			}
		}
	})
	values := make([]Value, 0, len(found))
	for _, key := range slices.Sorted(maps.Keys(found)) {
		values = append(values, found[key])
	}

	return values, nil
}
