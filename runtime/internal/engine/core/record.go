package core

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/field"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// createJournal creates the journal of a run, which the store has under a name.
func (r *run) createJournal(ctx context.Context, store journal.Store, name string, info *compiled.Agent, input, initial string) error {
	p := r.program
	begin := journal.Record{Type: journal.Begin, Time: r.engine.config.Clock.Now().UTC(), Name: r.id, Fields: field.Optional(
		"program", p.Name, "agent", info.Name, "input", input, "context", initial, "shape", p.Shape, "text", p.TextHash(),
		"runtime", version, "by", r.engine.config.By, "traceparent", runtime.TraceparentFrom(r.ctx),
	)}
	w, err := journal.Create(ctx, store, name, begin)
	r.journal = r.engine.newRunJournal(nil, w)
	r.events.w = w

	return err
}

// resumeFrom makes a run continue where its journal ends.
func (r *run) resumeFrom(h *replay.History, w *journal.Writer, resumed *event.Event) {
	r.journal = r.engine.newRunJournal(h, w)
	r.events.w, r.events.seq, r.events.resumed = w, h.Seq, resumed
	for _, write := range h.Writes {
		r.memory.call(write.Tool, []byte(write.Args))
	}
}

// version is the version of the runtime in journals.
var version = strconv.Itoa(rt.MaxVersion)

// register makes the run known to the engine and reads messages to it, until end is called.
func (r *run) register() (end func()) {
	if r.journal == nil {
		return func() {}
	}
	if r.host != nil {
		return func() { _ = r.journal.w.Close() } // no other process has it
	}
	e := r.engine
	e.mu.Lock()
	if e.owned == nil {
		e.owned = map[string]*run{}
	}
	e.owned[r.id] = r
	e.mu.Unlock()
	hush := r.pollMessages()

	return func() {
		hush()
		if !r.journal.questions.Close() {
			_ = r.journal.w.Close() // a panic has come between: what was recorded is what the next process goes on from
		}
		e.mu.Lock()
		delete(e.owned, r.id)
		e.mu.Unlock()
		close(r.journal.released)
	}
}

// writeEnd records how the run ended and closes its journal. It returns the run's error.
func (r *run) writeEnd(status string, fin runtime.Finish, err error) error {
	u := r.usage()
	tokens := field.Count(int64(u.Input) + int64(u.Output))
	fields := field.Optional("key", fin.Key, "value", fin.Value, "json", field.Bool(fin.JSON), "synthetic", field.Bool(fin.Synthetic),
		"context", fin.Context, "tokens", tokens)
	if err != nil {
		fields = field.Optional("key", endKey(err, fin), "error_type", runtime.ErrorType(err), "error", err.Error(), "context", endContext(status, fin), "tokens", tokens)
	}
	if due := earliestDue(Questions(err)); status == replay.StatusPaused && !due.IsZero() {
		fields = append(fields, journal.Field{Name: journal.FieldDue, Value: due.Format(time.RFC3339Nano)})
	}
	r.journal.questions.Close()
	r.appendRecord(journal.Record{Type: journal.End, Name: status, Fields: fields})
	closing := r.journal.w.Close()
	var failed *journal.StoreError
	if closing == nil || errors.As(err, &failed) {
		return err
	}

	return joinErrors(err, closing)
}

// earliestDue returns when the first of the questions has no time left; zero if each of them waits
// as long as it takes.
func earliestDue(open []runtime.Question) (due time.Time) {
	for _, q := range open {
		if due.IsZero() || !q.Due.IsZero() && q.Due.Before(due) {
			due = q.Due
		}
	}

	return due
}
