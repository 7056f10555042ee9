package replay

import (
	"cmp"
	"sort"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/addr"
	"github.com/agentc-dev/agentc/runtime/signals"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// History is what earlier processes have recorded of a run.
type History struct {
	Begin *journal.Record
	// Shape and text are the hashes of the program that has run last.
	Shape, Text string
	Effects     map[string]*Effect
	// unused are effects that are allocated together, since there are many.
	unused []Effect
	// newest is the effect that was looked up last, at newestAddress: the records of an effect
	// follow one another.
	newest        *Effect
	newestAddress string
	// End is the record with which a process has ended the run last, and endNumber its number; nil
	// if every process was killed.
	End       *journal.Record
	endNumber int
	// Exits is how often a process has ended the run.
	Exits int
	// opened is the number of the record with which the last process began.
	opened int
	// Seq is the number of the newest event.
	Seq int
	// Writes are the calls of memory tools, in the order in which they took effect.
	Writes []write
	// lastActive is when the last process was surely at work.
	lastActive time.Time
	// Cut is the error of a journal whose end was cut off; else nil.
	Cut       error
	takeovers []takeover
	// Traceparent is the place in a distributed trace where the run was resumed, if no process has
	// ended it since.
	Traceparent string
}

// write is a call of a memory tool.
type write struct{ Tool, Args string }

// takeover is when a process took the run from one that had not given it up.
type takeover struct {
	// number is the number of the record with which the next process began.
	number int
	// renewed is when the previous owner renewed its lease last; zero if that is not known.
	renewed time.Time
}

// FieldRenewed is the field with the time of a takeover.
const FieldRenewed = "renewed"

// ReadResumable reads a journal of a run that is to be resumed: effects with which the run has failed
// are tried again.
func ReadResumable(j *journal.Journal) *History {
	h := Read(j)
	if status := h.Status(); status == StatusFailed || status == StatusCancelled {
		h.dropTrailingErrors(status == StatusCancelled)
	}

	return h
}

// Read reads a journal. Of an effect that was carried out again, the last time counts.
func Read(j *journal.Journal) *History {
	h := &History{Begin: &journal.Record{}, Effects: make(map[string]*Effect, len(j.Records)/2), Cut: j.Cut}
	for i := range j.Records {
		h.add(i, &j.Records[i])
	}
	h.countInterrupted()

	return h
}

// IsClosed reports whether the last process has recorded how it left the run.
func (h *History) IsClosed() bool { return h.End != nil && h.endNumber > h.opened }

// Status is how a process has left the run last; "" if every process was killed.
func (h *History) Status() string {
	if h.End == nil {
		return ""
	}

	return h.End.Name
}

// add reads the record with a number.
func (h *History) add(number int, r *journal.Record) {
	h.keepAliveTime(r)
	switch r.Type {
	case journal.Begin:
		h.Begin, h.Shape, h.Text = r, r.Value("shape"), r.Value("text")
	case journal.Opened:
		h.Shape, h.Text, h.opened = r.Value("shape"), r.Value("text"), number
		h.Traceparent = cmp.Or(r.Value("traceparent"), h.Traceparent)
		h.AddTakeover(number, r.Value(FieldRenewed))
	case journal.Intent:
		h.addIntent(number, r)
	case journal.Result:
		h.addResult(number, r)
	case journal.Event:
		p := h.effectAt(r.Address)
		p.Events = append(p.Events, r)
		seq, _ := strconv.Atoi(r.Value("seq"))
		h.Seq = max(h.Seq, seq)
	case journal.Answer:
		h.effectAt(r.Address).keepAnswer(r.Name, &Answer{
			Value: r.Value("value"), By: r.Value("by"), number: number, unchecked: r.Value("unchecked") == "true",
		})
	case journal.End:
		h.End, h.endNumber, h.Traceparent = r, number, ""
		h.Exits++
	}
}

// effectAt returns what is recorded at an address. It is added if it is new.
func (h *History) effectAt(address string) *Effect {
	if h.newest != nil && h.newestAddress == address {
		return h.newest
	}
	p := h.Effects[address]
	if p == nil {
		if len(h.unused) == 0 {
			h.unused = make([]Effect, 64)
		}
		p, h.unused = &h.unused[0], h.unused[1:]
		h.Effects[address] = p
	}
	h.newest, h.newestAddress = p, address

	return p
}

// AddTakeover adds a takeover. A time that cannot be read is not known.
func (h *History) AddTakeover(number int, renewed string) {
	at, _ := time.Parse(time.RFC3339Nano, renewed)
	h.takeovers = append(h.takeovers, takeover{number, at})
}

// Renewed is when the process that has begun an effect renewed its lease last; zero if that is not
// known, or if the process has given up the run.
func (h *History) Renewed(p *Effect) time.Time {
	for _, t := range h.takeovers {
		if p != nil && t.number > p.intentNumber {
			return t.renewed
		}
	}

	return time.Time{}
}

// addIntent begins an effect. One that has begun before is carried out again, and what followed it
// does not count any more.
func (h *History) addIntent(number int, r *journal.Record) {
	p := h.effectAt(r.Address)
	if p.HasBegun() {
		h.undoAfter(r.Address)
	}
	p.begin(number, r, h.Text)
}

func (h *History) addResult(number int, r *journal.Record) {
	p := h.effectAt(r.Address)
	p.Result, p.resultNumber = r, number
	if p.Intent != nil && r.Value("memory") == "true" {
		h.Writes = append(h.Writes, write{nameOf(p), p.Intent.Value("args")})
	}
}

// undoAfter removes what followed an effect: in its branch, and in the enclosing branches after the
// group that it is part of.
func (h *History) undoAfter(address string) {
	h.newest = nil
	for {
		branch, ordinal := addr.Split(address)
		for at := range h.Effects {
			if addr.IsAfter(at, branch, ordinal) {
				delete(h.Effects, at)
			}
		}
		if branch == "" {
			return
		}
		address = addr.GroupOf(branch)
		h.effectAt(address).Events = nil
	}
}

// dropTrailingErrors removes results that are errors and on which nothing was built, so that a
// resumed run tries these effects again. With stops it removes signals that have stopped the run,
// too.
func (h *History) dropTrailingErrors(stops bool) {
	newest := h.newestByBranch()
	var trailing []string
	for address, p := range h.Effects {
		if h.hasFailedRun(p, stops) && addr.IsTrailing(address, newest) {
			trailing = append(trailing, address)
		}
		p.dropFailAnswer(h.endNumber)
	}
	sort.Slice(trailing, func(i, j int) bool { return addr.Compare(trailing[i], trailing[j]) < 0 })
	for _, address := range trailing {
		p := h.Effects[address]
		if p != nil { // nil: it followed another one of them
			h.undoAfter(address)
			p.reset()
		}
	}
}

// newestByBranch returns the number of the last effect of each branch.
func (h *History) newestByBranch() map[string]int {
	newest := map[string]int{}
	for address, p := range h.Effects {
		if p.HasBegun() && !p.isZeroSleep() {
			branch, ordinal := addr.Split(address)
			newest[branch] = max(newest[branch], ordinal)
		}
	}

	return newest
}

// hasFailedRun reports whether the run can have failed with the result of an effect, or with stops
// been stopped by it.
func (h *History) hasFailedRun(p *Effect, stops bool) bool {
	if p.Result == nil || p.resultNumber >= h.endNumber {
		return false
	}

	return isError(p.Result) || stops && isStopDecision(p.Result)
}

func isError(r *journal.Record) bool {
	_, failed := r.Get("error_type")

	return failed
}

// isStopDecision reports whether a verdict is the decision about a signal that stops the run.
func isStopDecision(r *journal.Record) bool {
	if r.Name != KindGuard {
		return false
	}
	v, err := ReadVerdict(r)
	if err != nil || v.Signal == nil {
		return false
	}

	return v.Signal.Answer == signals.GracefulStop || v.Signal.Answer == signals.ForceStop
}

// IsDone reports whether the run has a result.
func (h *History) IsDone() bool { return h.End != nil && h.End.Name == StatusDone }

// Finish returns the result of a run that is done.
func (h *History) Finish() runtime.Finish {
	return runtime.Finish{
		Key: h.End.Value("key"), Value: h.End.Value("value"),
		JSON: h.End.Value("json") == "true", Synthetic: h.End.Value("synthetic") == "true",
		Context: h.End.Value("context"),
	}
}
