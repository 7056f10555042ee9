package core

import (
	"cmp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/question"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// runJournal is the journal of a run that is under way.
type runJournal struct {
	// history is what earlier processes have recorded; nil in the first process.
	history *replay.History
	// w writes records; nil in a run that is only read (see readOnly).
	w *journal.Writer
	// readOnly reports whether nothing is carried out: an effect without a result ends its branch,
	// and open questions are collected.
	readOnly bool
	// changes collects effects that differ from the recorded ones, in a run that is only read for
	// that; else nil.
	changes *changes
	// failure is what has ended the run at once: the store failed, or the program diverges.
	failure atomic.Pointer[error]

	// hashed guards text, the hash of the program's prompts.
	hashed sync.Once
	text   string

	// opened is when this process opened the journal. asked is how long after that the store was
	// asked for messages last; 0 if it was not asked yet.
	opened time.Time
	asked  atomic.Int64

	// ahead bounds how far effects that may be repeated run ahead of the disk.
	ahead recentIntents

	questions question.List
	// released is closed when the journal has been given back.
	released chan struct{}
}

// newRunJournal returns the journal of a run that this process carries out.
func (e *Engine) newRunJournal(h *replay.History, w *journal.Writer) *runJournal {
	return &runJournal{
		history: h, w: w, released: make(chan struct{}), opened: time.Now(),
		ahead: recentIntents{
			records: make([]recentIntent, cmp.Or(max(e.config.AheadEffects, 0), aheadEffects)),
			maxAge:  cmp.Or(max(e.config.AheadTime, 0), aheadTime),
		},
	}
}

// recordedAt returns what earlier processes have recorded of an effect; nil if they have recorded
// nothing.
func (t *runJournal) recordedAt(address string) *replay.Effect {
	if t == nil || t.history == nil {
		return nil
	}

	return t.history.Effects[address]
}

// programText returns the hash of the prompts of a program.
func (t *runJournal) programText(p *compiled.Program) string {
	t.hashed.Do(func() { t.text = p.TextHash() })

	return t.text
}

// matches reports whether an effect is the recorded one. text is the hash of the program's prompts.
func (in *intent) matches(prior *replay.Effect, text string) bool {
	if prior.Intent == nil {
		return prior.Result.Name == in.kind
	}
	if prior.Intent.Name != in.kind || !in.shape.equals(prior.Intent.Value("digest")) {
		return false
	}

	return in.text == 0 || prior.ProgramText != text || in.text.equals(prior.Intent.Value("text_digest"))
}

// isUnchanged reports whether an effect is requested exactly as it was recorded, whatever program
// recorded it.
func (in *intent) isUnchanged(prior *replay.Effect) bool {
	switch {
	case prior.Intent == nil:
		return prior.Result.Name == in.kind
	case prior.Intent.Name != in.kind || !in.shape.equals(prior.Intent.Value("digest")):
		return false
	case in.kind == replay.KindModel:
		return in.turn.requestDigest(in.text).equals(prior.Intent.Value("request_digest"))
	}

	return in.text == 0 || in.text.equals(prior.Intent.Value("text_digest"))
}

// describeDifference describes the effect for people, where another one was expected that may look
// the same.
func (in *intent) describeDifference(prior *replay.Effect) string {
	text := replay.Describe(in.kind, in.what)
	if text != prior.Describe() {
		return text
	}
	switch in.kind {
	case replay.KindTool, replay.KindCall:
		return text + " with the arguments " + shortenText(string(in.args)) + ", not " + shortenText(prior.Intent.Value("args"))
	case replay.KindModel:
		return text + " with another prompt or other messages"
	case replay.KindAsk:
		return text + " with another text, other choices or another schema"
	}

	return text + " with something else"
}

// shortenText returns the beginning of a text that may be long.
func shortenText(text string) string {
	const most = 200
	if len(text) <= most {
		return text
	}

	return strings.ToValidUTF8(text[:most], "") + "..."
}

// failRun ends the run with an error that nothing can repair, and returns it.
func (r *run) failRun(err error) error {
	r.journal.failure.CompareAndSwap(nil, &err)
	first := *r.journal.failure.Load()
	r.cancel(first)

	return first
}

// failure returns the first error of failRun; nil without one.
func (r *run) failure() error {
	if r.journal == nil {
		return nil
	}
	if err := r.journal.failure.Load(); err != nil {
		return *err
	}

	return nil
}

// appendRecord records something now. It returns how many records the journal has.
func (r *run) appendRecord(record journal.Record) (count uint64) {
	record.Time = r.engine.config.Clock.Now().UTC()

	return r.journal.w.Append(record)
}

// flushIntent starts writing the intent of an effect that may be repeated, the record with number
// count, and waits while too many such intents, or too old ones, are not on the disk. A store that
// fails ends the run.
func (r *run) flushIntent(count uint64) error {
	w := r.journal.w
	w.Flush()
	if err := w.Wait(r.journal.ahead.add(count, time.Now())); err != nil {
		return r.failRun(err)
	}

	return nil
}

// The defaults of Config.AheadEffects and Config.AheadTime.
const (
	aheadEffects = 16
	aheadTime    = 50 * time.Millisecond
)

// recentIntents are the last records of intents, as many as may be missing on the disk. It is safe
// for concurrent use.
type recentIntents struct {
	mu      sync.Mutex
	records []recentIntent
	oldest  int
	// maxAge is how long an intent may be missing on the disk.
	maxAge time.Duration
}

// recentIntent is the number of a record of an intent, and when it was appended.
type recentIntent struct {
	number uint64
	at     time.Time
}

// add forgets the oldest intent for a new one. It returns the number up to which records have to be
// on the disk before the effect starts: that of the intent that is the oldest then, or of the newest
// one that has reached the maximal age. It is 0 as long as there were too few intents for that.
func (t *recentIntents) add(number uint64, now time.Time) (required uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.records[t.oldest] = recentIntent{number, now}
	t.oldest = (t.oldest + 1) % len(t.records)
	required = t.records[t.oldest].number
	for _, record := range t.records {
		if record.number > required && now.Sub(record.at) >= t.maxAge {
			required = record.number
		}
	}

	return required
}

// flushJournal starts writing records to the disk, without waiting for it: the next record may take
// long to come.
func (r *run) flushJournal() {
	if r.journal != nil && r.journal.w != nil {
		r.journal.w.Flush()
	}
}

// syncJournal waits until all records are on the disk. A store that fails ends the run.
func (r *run) syncJournal() error {
	if err := r.journal.w.Sync(); err != nil {
		return r.failRun(err)
	}

	return nil
}

// checkStore ends the run if its store has failed: what cannot be recorded must not be done.
func (r *run) checkStore() error {
	if err := r.journal.w.Err(); err != nil {
		return r.failRun(err)
	}

	return nil
}
