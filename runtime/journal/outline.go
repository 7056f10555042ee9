package journal

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/files"
)

// Outline summarizes a run, as lists of runs need it.
type Outline struct {
	// Journal has the records that say what runs, and how processes took the run up and left it; no others.
	Journal
	// Changed is the newest time of all records, including those that the outline leaves out.
	Changed time.Time
	// Recoveries are those of [Journal.Recoveries].
	Recoveries []time.Time
}

// ReadOutline is [Read] for callers that need only the outline of a run. It checks every byte, because only the
// blocks before show whether the last record is the end of the run or a text that quotes one: so it never reports an
// unfinished run as done, nor a damaged journal as intact. It does not build the records that it leaves out, and
// keeps none of their texts in memory.
func ReadOutline(ctx context.Context, store Store, run string) (*Outline, error) {
	d, err := read(ctx, store, run, outlined)
	if err != nil {
		return nil, err
	}
	for i := range d.journal.Records {
		d.journal.Records[i].detach()
	}

	return &Outline{d.journal, d.changed, d.recoveries.all()}, nil
}

// outlined says which records an outline has.
func outlined(t Type) bool { return t == Begin || t == Opened || t == End }

// detach copies the texts of a record out of the file in which they are.
func (r *Record) detach() {
	r.Address, r.Name = strings.Clone(r.Address), strings.Clone(r.Name)
	for i := range r.Fields {
		r.Fields[i] = Field{strings.Clone(r.Fields[i].Name), strings.Clone(r.Fields[i].Value)}
	}
}

// Ended reports whether a process has left the run and nothing was written after that.
func (o *Outline) Ended() bool { return o.Cut == nil && o.Records[len(o.Records)-1].Type == End }

// Stamp changes whenever a journal grows. While it is the same, a run for which [Outline.Ended] is true has the same
// outline: only a torn end is ever cut off, and the process that does so then owns the run.
type Stamp = files.Stamp

// Stamp implements Store.
func (s *folder) Stamp(ctx context.Context, run string) (Stamp, error) {
	if err := check(ctx, run); err != nil {
		return Stamp{}, err
	}
	stamp, err := s.system.Stamp(s.path(run))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Stamp{}, &RunError{run, ErrUnknownRun}
	case err != nil:
		return Stamp{}, &StoreError{"look at", s.path(run), err}
	}

	return stamp, nil
}
