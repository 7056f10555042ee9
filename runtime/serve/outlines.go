package serve

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/agentc-dev/agentc/runtime/journal"
)

// outlines are those of the runs that have ended, so that who asks for the list again and again has only those journals read that
// have changed. The zero value has none. It is safe for concurrent use.
type outlines struct {
	mu    sync.Mutex
	known map[string]known
}

// known is the outline of a journal as long as it has that stamp.
type known struct {
	stamp   journal.Stamp
	outline *journal.Outline
}

// of is the outline of a run.
func (o *outlines) of(ctx context.Context, store journal.Store, run string) (*journal.Outline, error) {
	stamp, err := store.Stamp(ctx, run) // before it is read: what comes in between is only read once more
	if err != nil {
		return nil, err
	}
	if was := o.find(run); was.outline != nil && was.stamp == stamp {
		return was.outline, nil
	}
	outline, err := journal.ReadOutline(ctx, store, run)
	if err == nil && outline.Ended() {
		o.keep(run, known{stamp, outline})
	}

	return outline, err
}

func (o *outlines) find(run string) known {
	o.mu.Lock()
	defer o.mu.Unlock()

	return o.known[run]
}

func (o *outlines) keep(run string, k known) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.known == nil {
		o.known = map[string]known{}
	}
	o.known[run] = k
}

// forget forgets the runs that are not there any more; those that are there are sorted.
func (o *outlines) forget(there []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.known) > len(there) {
		maps.DeleteFunc(o.known, func(run string, _ known) bool {
			_, found := slices.BinarySearch(there, run)

			return !found
		})
	}
}
