package core

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/events/unknown"
	"github.com/agentc-dev/agentc/runtime/signals"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// recordedEffect is what a journal has of an address: of an effect, of what was reported after it, or of the beginning of a branch.
type recordedEffect struct {
	intent, result *journal.Record
	// intentNumber is the number of the intent.
	intentNumber int
	// programText is the hash of the prompts with which the effect began.
	programText string
	// resultNumber is the number of the result's record.
	resultNumber int
	// outlays are what the effect has spent, each time but the one with the result.
	outlays []outlay
	// counted is the intent, without a result, whose time is in there.
	counted *journal.Record
	// dropped are results that do not count any more, since the effect is tried again.
	dropped []*journal.Record
	// answers are what people replied here, by the question's id.
	answers map[string]*recordedAnswer
	// events are those that were reported since the effect began, in order.
	events []*journal.Record
}

// recordedAnswer is what a person answered, at the number of its record.
type recordedAnswer struct {
	value, by string
	number    int
	// unchecked says that it was recorded without the program, which knows what fits.
	unchecked bool
}

// errNoReply says that a question has no answer.
var errNoReply = errors.New("there is no answer")

// validate says why a reply, which may be nil, does not answer a question; nil if it does.
func (r *recordedAnswer) validate(q runtime.Question) error {
	switch {
	case r == nil:
		return errNoReply
	case !r.unchecked || q.Check == nil:
		return nil
	}

	return q.Check(r.value)
}

// isOutcomeUnknown says that it is not known whether the effect has happened, and that it must not happen twice. Where a script was asked, as the
// recorded class says, nothing has happened.
func (p *recordedEffect) isOutcomeUnknown(in *intent) bool {
	return in.class == classOnce && (p.intent == nil || p.intent.Value("class") == string(classOnce))
}

// hasBegun says that an effect was begun here, whatever became of it.
func (p *recordedEffect) hasBegun() bool { return p != nil && (p.intent != nil || p.result != nil) }

// history is what earlier processes have recorded of a run.
type history struct {
	begin *journal.Record
	// shape and text are the hashes of the program that the run was last run by.
	shape, text string
	effects     map[string]*recordedEffect
	// unused are made together, since there are many. newest is the one that was asked for last, at newestAt: the records of an effect
	// follow one another.
	unused   []recordedEffect
	newest   *recordedEffect
	newestAt string
	// end is how the run was last left, lastEnd the number of that record; nil if no process has left it in order. left is how often one
	// has.
	end     *journal.Record
	lastEnd int
	exits   int
	// opened is the number of the record with which the last process began.
	opened int
	// seq is the number of the newest event.
	seq int
	// writes are the calls of memory tools, in the order in which they took effect.
	writes []write
	// lastActive is when the last process was surely at work.
	lastActive time.Time
	cut        error
	// takeovers are when later processes took the run from one that had not given it up.
	takeovers []takeover
	// recovering says that a server takes the run up by itself.
	recovering bool
	// from is where in a distributed trace the run was resumed, if no process has left it since.
	from string
}

// historyOf reads a journal of a run that is to resume: what it has failed with is tried again.
func historyOf(j *journal.Journal) *history {
	h := readHistory(j)
	if h.end != nil && (h.end.Name == statusFailed || h.end.Name == statusCancelled) {
		h.dropTrailingErrors(h.end.Name == statusCancelled)
	}

	return h
}

// readHistory reads a journal: what was done again counts as it was done last.
func readHistory(j *journal.Journal) *history {
	h := &history{begin: &journal.Record{}, effects: make(map[string]*recordedEffect, len(j.Records)/2), cut: j.Cut}
	for i := range j.Records {
		h.add(i, &j.Records[i])
	}
	h.countInterrupted()

	return h
}

// isClosed says that the last process has left the run in order.
func (h *history) isClosed() bool { return h.end != nil && h.lastEnd > h.opened }

// status is how the run was last left; "" if no process has left it in order.
func (h *history) status() string {
	if h.end == nil {
		return ""
	}

	return h.end.Name
}

func (h *history) add(number int, r *journal.Record) {
	h.keepAliveTime(r)
	switch r.Type {
	case journal.Begin:
		h.begin, h.shape, h.text = r, r.Value("shape"), r.Value("text")
	case journal.Opened:
		h.shape, h.text, h.opened = r.Value("shape"), r.Value("text"), number
		h.from = cmp.Or(r.Value("traceparent"), h.from)
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
		h.effectAt(r.Address).keepAnswer(r.Name, &recordedAnswer{r.Value("value"), r.Value("by"), number, r.Value("unchecked") == "true"})
	case journal.End:
		h.end, h.lastEnd, h.from = r, number, ""
		h.exits++
	}
}

// keepAnswer keeps the first answer to a question, but for one that had the run fail or was not checked: then there can be another.
func (p *recordedEffect) keepAnswer(question string, with *recordedAnswer) {
	if p.answers == nil {
		p.answers = map[string]*recordedAnswer{}
	}
	if first := p.answers[question]; first == nil || first.unchecked ||
		first.value == unknown.Fail && question == unknown.Question(nameOf(p)) {
		p.answers[question] = with
	}
}

func (h *history) effectAt(address string) *recordedEffect {
	if h.newest != nil && h.newestAt == address {
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
	h.newest, h.newestAt = p, address

	return p
}

// intent is an effect that begins. If it has begun before it is done again, and what had come after it no longer has.
// takeover is when the owner before renewed its lease last, by the number of the record with which the next one began.
type takeover struct {
	number  int
	renewed time.Time
}

// fieldRenewed is the field of such a record with that time.
const fieldRenewed = "renewed"

// addTakeover notes a takeover. A time that cannot be read is not known.
func (h *history) addTakeover(number int, renewed string) {
	at, _ := time.Parse(time.RFC3339Nano, renewed)
	h.takeovers = append(h.takeovers, takeover{number, at})
}

// renewed is when the process that has begun an effect renewed its lease last; zero if that is not known, or if it has given up the run.
func (h *history) renewed(p *recordedEffect) time.Time {
	for _, t := range h.takeovers {
		if p != nil && t.number > p.intentNumber {
			return t.renewed
		}
	}

	return time.Time{}
}

func (h *history) addIntent(number int, r *journal.Record) {
	p := h.effectAt(r.Address)
	if p.hasBegun() {
		h.undoAfter(r.Address)
		if p.result != nil {
			p.dropResult()
		}
	}
	p.intent, p.intentNumber, p.programText = r, number, h.text
	p.result, p.events, p.answers = nil, nil, nil
}

func (h *history) addResult(number int, r *journal.Record) {
	p := h.effectAt(r.Address)
	p.result, p.resultNumber = r, number
	if p.intent != nil && r.Value("memory") == "true" {
		h.writes = append(h.writes, write{nameOf(p), p.intent.Value("args")})
	}
}

// write is a call of a memory tool.
type write struct{ tool, args string }

// undoAfter forgets what came after an effect: in its branch, and in those around it after the group that it is in.
func (h *history) undoAfter(address string) {
	h.newest = nil
	for {
		branch, ordinal := splitAddress(address)
		for at := range h.effects {
			if isAfter(at, branch, ordinal) {
				delete(h.effects, at)
			}
		}
		if branch == "" {
			return
		}
		address = branch[:max(strings.LastIndexByte(branch, '.'), 0)]
		h.effectAt(address).events = nil
	}
}

// isAfter says that an address is in a branch behind one of its effects, or within one that is there.
func isAfter(address, branch string, ordinal int) bool {
	rest := address
	if branch != "" {
		var inside bool
		if rest, inside = strings.CutPrefix(address, branch+"."); !inside {
			return false
		}
	}
	first, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(first)

	return err == nil && n > ordinal
}

// splitAddress returns the branch of an effect, "" for that of the run, and its number there.
func splitAddress(address string) (branch string, ordinal int) {
	dot := strings.LastIndexByte(address, '.')
	ordinal, _ = strconv.Atoi(address[dot+1:])

	return address[:max(dot, 0)], ordinal
}

// dropTrailingErrors drops errors on which nothing was built, with which the run has failed: they are tried again. After a cancellation it
// drops the word of a signal by which the run was stopped, too.
func (h *history) dropTrailingErrors(stops bool) {
	newest := map[string]int{}
	for address, p := range h.effects {
		if p.hasBegun() && !p.isZeroSleep() {
			branch, ordinal := splitAddress(address)
			newest[branch] = max(newest[branch], ordinal)
		}
	}
	var forgiven []string
	for address, p := range h.effects {
		if p.result != nil && p.resultNumber < h.lastEnd && (isError(p.result) || stops && stopsRun(p.result)) && isTrailing(address, newest) {
			forgiven = append(forgiven, address)
		}
		question := unknown.Question(nameOf(p))
		if a := p.answers[question]; a != nil && a.value == unknown.Fail && a.number < h.lastEnd {
			delete(p.answers, question)
		}
	}
	for _, address := range forgiven {
		if p := h.effects[address]; p != nil {
			h.undoAfter(address)
			p.dropResult()
			p.result, p.events = nil, nil
			p.intent = nil
		}
	}
}

// isZeroSleep says that the effect was a sleep of no time, which workflows do to notice a cancellation: nothing is built on an error by that.
func (p *recordedEffect) isZeroSleep() bool {
	return p.intent != nil && p.intent.Name == kindSleep && p.intent.Value("what") == "0s"
}

// isTrailing says that nothing was done after an effect: not in its branch, nor in those around it after the group.
func isTrailing(address string, newest map[string]int) bool {
	for {
		branch, ordinal := splitAddress(address)
		if newest[branch] > ordinal {
			return false
		}
		if branch == "" {
			return true
		}
		address = branch[:max(strings.LastIndexByte(branch, '.'), 0)]
	}
}

func isError(r *journal.Record) bool {
	_, failed := r.Get("error_type")

	return failed
}

// stopsRun says that a verdict is that of a signal which stops the run.
func stopsRun(r *journal.Record) bool {
	if r.Name != kindGuard {
		return false
	}
	v, err := readVerdict(r)

	return err == nil && v.Signal != nil &&
		(v.Signal.Answer == signals.GracefulStop || v.Signal.Answer == signals.ForceStop)
}

// nameOf is what the effect at a place was about; "" if none was begun.
func nameOf(p *recordedEffect) string {
	if p.intent == nil {
		return ""
	}

	return p.intent.Value("what")
}

// compareAddresses orders addresses as the program comes by them, branches by their numbers.
func compareAddresses(a, b string) int {
	for a != "" && b != "" {
		var first, second string
		first, a, _ = strings.Cut(a, ".")
		second, b, _ = strings.Cut(b, ".")
		m, _ := strconv.Atoi(first)
		n, _ := strconv.Atoi(second)
		if m != n {
			return cmp.Compare(m, n)
		}
	}

	return cmp.Compare(len(a), len(b))
}
