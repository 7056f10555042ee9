package journal

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/files"
)

// Outline is what a journal says of its run as a whole: what a list of runs needs.
type Outline struct {
	// Journal has the records that say what runs, and how processes took the run up and left it; no others.
	Journal
	// Changed is the newest time of all records, those too that are left out.
	Changed time.Time
	// Recoveries are those of [Recoveries].
	Recoveries []time.Time
}

// ReadOutline is [Read] for those who want no more of a run than its outline. It looks at every byte: whether the last record is the
// end of the run, or a text that quotes one, is only known by what stands before it. So it calls no run done that is not, and no
// journal whole that is damaged. But of the records that it leaves out nothing is made, and none of their texts stay in memory.
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

// detach copies the texts of a record out of the file in which they stand.
func (r *Record) detach() {
	r.Address, r.Name = strings.Clone(r.Address), strings.Clone(r.Name)
	for i := range r.Fields {
		r.Fields[i] = Field{strings.Clone(r.Fields[i].Name), strings.Clone(r.Fields[i].Value)}
	}
}

// Ended says that a process has left the run, and that nothing was written after that.
func (o *Outline) Ended() bool { return o.Cut == nil && o.Records[len(o.Records)-1].Type == End }

// Stamp is what becomes another when a journal grows. As long as it is the same, a run that has [Outline.Ended] has the same outline:
// only a torn end is ever cut off, and who does so is at work on the run from then on.
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
