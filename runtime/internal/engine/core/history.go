package core

import (
	"cmp"
	"sort"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/engine/addr"
	"github.com/agentc-dev/agentc/runtime/signals"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// history is what earlier processes have recorded of a run.
type history struct {
	begin *journal.Record
	// shape and text are the hashes of the program that has run last.
	shape, text string
	effects     map[string]*recordedEffect
	// unused are effects that are allocated together, since there are many.
	unused []recordedEffect
	// newest is the effect that was looked up last, at newestAddress: the records of an effect
	// follow one another.
	newest        *recordedEffect
	newestAddress string
	// end is the record with which a process has ended the run last, and endNumber its number; nil
	// if every process was killed.
	end       *journal.Record
	endNumber int
	// exits is how often a process has ended the run.
	exits int
	// opened is the number of the record with which the last process began.
	opened int
	// seq is the number of the newest event.
	seq int
	// writes are the calls of memory tools, in the order in which they took effect.
	writes []write
	// lastActive is when the last process was surely at work.
	lastActive time.Time
	// cut is the error of a journal whose end was cut off; else nil.
	cut       error
	takeovers []takeover
	// recovering reports whether a server resumes the run by itself.
	recovering bool
	// traceparent is the place in a distributed trace where the run was resumed, if no process has
	// ended it since.
	traceparent string
}

// write is a call of a memory tool.
type write struct{ tool, args string }

// takeover is when a process took the run from one that had not given it up.
type takeover struct {
	// number is the number of the record with which the next process began.
	number int
	// renewed is when the previous owner renewed its lease last; zero if that is not known.
	renewed time.Time
}

// fieldRenewed is the field with the time of a takeover.
const fieldRenewed = "renewed"

// historyOf reads a journal of a run that is to be resumed: effects with which the run has failed
// are tried again.
func historyOf(j *journal.Journal) *history {
	h := readHistory(j)
	if status := h.status(); status == statusFailed || status == statusCancelled {
		h.dropTrailingErrors(status == statusCancelled)
	}

	return h
}

// readHistory reads a journal. Of an effect that was carried out again, the last time counts.
func readHistory(j *journal.Journal) *history {
	h := &history{begin: &journal.Record{}, effects: make(map[string]*recordedEffect, len(j.Records)/2), cut: j.Cut}
	for i := range j.Records {
		h.add(i, &j.Records[i])
	}
	h.countInterrupted()

	return h
}

// isClosed reports whether the last process has recorded how it left the run.
func (h *history) isClosed() bool { return h.end != nil && h.endNumber > h.opened }

// status is how a process has left the run last; "" if every process was killed.
func (h *history) status() string {
	if h.end == nil {
		return ""
	}

	return h.end.Name
}

// add reads the record with a number.
func (h *history) add(number int, r *journal.Record) {
	h.keepAliveTime(r)
	switch r.Type {
	case journal.Begin:
		h.begin, h.shape, h.text = r, r.Value("shape"), r.Value("text")
	case journal.Opened:
		h.shape, h.text, h.opened = r.Value("shape"), r.Value("text"), number
		h.traceparent = cmp.Or(r.Value("traceparent"), h.traceparent)
		h.addTakeover(number, r.Value(fieldRenewed))
	case journal.Intent:
		h.addIntent(number, r)
	case journal.Result:
		h.addResult(number, r)
	case journal.Event:
		p := h.effectAt(r.Address)
		p.events = append(p.events, r)
		seq, _ := strconv.Atoi(r.Value("seq"))
		h.seq = max(h.seq, seq)
	case journal.Answer:
		h.effectAt(r.Address).keepAnswer(r.Name, &recordedAnswer{
			value: r.Value("value"), by: r.Value("by"), number: number, unchecked: r.Value("unchecked") == "true",
		})
	case journal.End:
		h.end, h.endNumber, h.traceparent = r, number, ""
		h.exits++
	}
}

// effectAt returns what is recorded at an address. It is added if it is new.
func (h *history) effectAt(address string) *recordedEffect {
	if h.newest != nil && h.newestAddress == address {
		return h.newest
	}
	p := h.effects[address]
	if p == nil {
		if len(h.unused) == 0 {
			h.unused = make([]recordedEffect, 64)
		}
		p, h.unused = &h.unused[0], h.unused[1:]
		h.effects[address] = p
	}
	h.newest, h.newestAddress = p, address

	return p
}

// addTakeover adds a takeover. A time that cannot be read is not known.
func (h *history) addTakeover(number int, renewed string) {
	at, _ := time.Parse(time.RFC3339Nano, renewed)
	h.takeovers = append(h.takeovers, takeover{number, at})
}

// renewed is when the process that has begun an effect renewed its lease last; zero if that is not
// known, or if the process has given up the run.
func (h *history) renewed(p *recordedEffect) time.Time {
	for _, t := range h.takeovers {
		if p != nil && t.number > p.intentNumber {
			return t.renewed
		}
	}

	return time.Time{}
}

// addIntent begins an effect. One that has begun before is carried out again, and what followed it
// does not count any more.
func (h *history) addIntent(number int, r *journal.Record) {
	p := h.effectAt(r.Address)
	if p.hasBegun() {
		h.undoAfter(r.Address)
	}
	p.begin(number, r, h.text)
}

func (h *history) addResult(number int, r *journal.Record) {
	p := h.effectAt(r.Address)
	p.result, p.resultNumber = r, number
	if p.intent != nil && r.Value("memory") == "true" {
		h.writes = append(h.writes, write{nameOf(p), p.intent.Value("args")})
	}
}

// undoAfter removes what followed an effect: in its branch, and in the enclosing branches after the
// group that it is part of.
func (h *history) undoAfter(address string) {
	h.newest = nil
	for {
		branch, ordinal := addr.Split(address)
		for at := range h.effects {
			if addr.IsAfter(at, branch, ordinal) {
				delete(h.effects, at)
			}
		}
		if branch == "" {
			return
		}
		address = addr.GroupOf(branch)
		h.effectAt(address).events = nil
	}
}

// dropTrailingErrors removes results that are errors and on which nothing was built, so that a
// resumed run tries these effects again. With stops it removes signals that have stopped the run,
// too.
func (h *history) dropTrailingErrors(stops bool) {
	newest := h.newestByBranch()
	var trailing []string
	for address, p := range h.effects {
		if h.hasFailedRun(p, stops) && addr.IsTrailing(address, newest) {
			trailing = append(trailing, address)
		}
		p.dropFailAnswer(h.endNumber)
	}
	sort.Slice(trailing, func(i, j int) bool { return addr.Compare(trailing[i], trailing[j]) < 0 })
	for _, address := range trailing {
		p := h.effects[address]
		if p != nil { // nil: it followed another one of them
			h.undoAfter(address)
			p.reset()
		}
	}
}

// newestByBranch returns the number of the last effect of each branch.
func (h *history) newestByBranch() map[string]int {
	newest := map[string]int{}
	for address, p := range h.effects {
		if p.hasBegun() && !p.isZeroSleep() {
			branch, ordinal := addr.Split(address)
			newest[branch] = max(newest[branch], ordinal)
		}
	}

	return newest
}

// hasFailedRun reports whether the run can have failed with the result of an effect, or with stops
// been stopped by it.
func (h *history) hasFailedRun(p *recordedEffect, stops bool) bool {
	if p.result == nil || p.resultNumber >= h.endNumber {
		return false
	}

	return isError(p.result) || stops && isStopDecision(p.result)
}

func isError(r *journal.Record) bool {
	_, failed := r.Get("error_type")

	return failed
}

// isStopDecision reports whether a verdict is the decision about a signal that stops the run.
func isStopDecision(r *journal.Record) bool {
	if r.Name != kindGuard {
		return false
	}
	v, err := readVerdict(r)
	if err != nil || v.Signal == nil {
		return false
	}

	return v.Signal.Answer == signals.GracefulStop || v.Signal.Answer == signals.ForceStop
}
