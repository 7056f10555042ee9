package core

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/unknown"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// past is what a journal has of an address: of an effect, of what was reported after it, or of the beginning of a branch.
type past struct {
	intent, result *journal.Record
	// begun is the number of the intent.
	begun int
	// text is the hash of the prompts with which the effect began.
	text string
	// at is the number of the result's record.
	at int
	// outlays are what the effect has spent, each time but the one with the result.
	outlays []outlay
	// counted is the intent, without a result, whose time is in there.
	counted *journal.Record
	// dropped are results that do not count any more, since the effect is tried again.
	dropped []*journal.Record
	// answers are what people replied here, by the question's id.
	answers map[string]*reply
	// events are those that were reported since the effect began, in order.
	events []*journal.Record
}

// reply is what a person answered, at the number of its record.
type reply struct {
	value, by string
	at        int
	// unchecked says that it was recorded without the program, which knows what fits.
	unchecked bool
}

// errNoReply says that a question has no answer.
var errNoReply = errors.New("there is no answer")

// misfit says why a reply, which may be nil, does not answer a question; nil if it does.
func (r *reply) misfit(q runtime.Question) error {
	switch {
	case r == nil:
		return errNoReply
	case !r.unchecked || q.Check == nil:
		return nil
	}

	return q.Check(r.value)
}

// unknown says that it is not known whether the effect has happened, and that it must not happen twice. Where a script was asked, as the
// recorded class says, nothing has happened.
func (p *past) unknown(in *intent) bool {
	return in.class == classOnce && (p.intent == nil || p.intent.Value("class") == string(classOnce))
}

// began says that an effect was begun here, whatever became of it.
func (p *past) began() bool { return p != nil && (p.intent != nil || p.result != nil) }

// history is what earlier processes have recorded of a run.
type history struct {
	begin *journal.Record
	// shape and text are the hashes of the program that the run was last run by.
	shape, text string
	places      map[string]*past
	// unused are made together, since there are many. newest is the one that was asked for last, at newestAt: the records of an effect
	// follow one another.
	unused   []past
	newest   *past
	newestAt string
	// end is how the run was last left, lastEnd the number of that record; nil if no process has left it in order. left is how often one
	// has.
	end     *journal.Record
	lastEnd int
	left    int
	// opened is the number of the record with which the last process began.
	opened int
	// seq is the number of the newest event.
	seq int
	// writes are the calls of memory tools, in the order in which they took effect.
	writes []write
	// alive is when the last process was surely at work.
	alive time.Time
	cut   error
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
		h.forgive(h.end.Name == statusCancelled)
	}

	return h
}

// readHistory reads a journal: what was done again counts as it was done last.
func readHistory(j *journal.Journal) *history {
	h := &history{begin: &journal.Record{}, places: make(map[string]*past, len(j.Records)/2), cut: j.Cut}
	for i := range j.Records {
		h.add(i, &j.Records[i])
	}
	h.unfinished()

	return h
}

// ended says that the last process has left the run in order.
func (h *history) ended() bool { return h.end != nil && h.lastEnd > h.opened }

// status is how the run was last left; "" if no process has left it in order.
func (h *history) status() string {
	if h.end == nil {
		return ""
	}

	return h.end.Name
}

func (h *history) add(number int, r *journal.Record) {
	h.sawAlive(r)
	switch r.Type {
	case journal.Begin:
		h.begin, h.shape, h.text = r, r.Value("shape"), r.Value("text")
	case journal.Opened:
		h.shape, h.text, h.opened = r.Value("shape"), r.Value("text"), number
		h.from = cmp.Or(r.Value("traceparent"), h.from)
		h.take(number, r.Value(fieldRenewed))
	case journal.Intent:
		h.intent(number, r)
	case journal.Result:
		h.result(number, r)
	case journal.Event:
		p := h.place(r.Address)
		p.events = append(p.events, r)
		seq, _ := strconv.Atoi(r.Value("seq"))
		h.seq = max(h.seq, seq)
	case journal.Answer:
		h.place(r.Address).answer(r.Name, &reply{r.Value("value"), r.Value("by"), number, r.Value("unchecked") == "true"})
	case journal.End:
		h.end, h.lastEnd, h.from = r, number, ""
		h.left++
	}
}

// answer keeps the first answer to a question, but for one that had the run fail or was not checked: then there can be another.
func (p *past) answer(question string, with *reply) {
	if p.answers == nil {
		p.answers = map[string]*reply{}
	}
	if first := p.answers[question]; first == nil || first.unchecked ||
		first.value == unknown.Fail && question == unknown.Question(nameOf(p)) {
		p.answers[question] = with
	}
}

func (h *history) place(address string) *past {
	if h.newest != nil && h.newestAt == address {
		return h.newest
	}
	p := h.places[address]
	if p == nil {
		if len(h.unused) == 0 {
			h.unused = make([]past, 64)
		}
		p, h.unused = &h.unused[0], h.unused[1:]
		h.places[address] = p
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

// take notes a takeover. A time that cannot be read is not known.
func (h *history) take(number int, renewed string) {
	at, _ := time.Parse(time.RFC3339Nano, renewed)
	h.takeovers = append(h.takeovers, takeover{number, at})
}

// renewed is when the process that has begun an effect renewed its lease last; zero if that is not known, or if it has given up the run.
func (h *history) renewed(p *past) time.Time {
	for _, t := range h.takeovers {
		if p != nil && t.number > p.begun {
			return t.renewed
		}
	}

	return time.Time{}
}

func (h *history) intent(number int, r *journal.Record) {
	p := h.place(r.Address)
	if p.began() {
		h.undo(r.Address)
		if p.result != nil {
			p.drop()
		}
	}
	p.intent, p.begun, p.text = r, number, h.text
	p.result, p.events, p.answers = nil, nil, nil
}

func (h *history) result(number int, r *journal.Record) {
	p := h.place(r.Address)
	p.result, p.at = r, number
	if p.intent != nil && r.Value("memory") == "true" {
		h.writes = append(h.writes, write{nameOf(p), p.intent.Value("args")})
	}
}

// write is a call of a memory tool.
type write struct{ tool, args string }

// undo forgets what came after an effect: in its branch, and in those around it after the group that it is in.
func (h *history) undo(address string) {
	h.newest = nil
	for {
		branch, ordinal := splitAddress(address)
		for at := range h.places {
			if after(at, branch, ordinal) {
				delete(h.places, at)
			}
		}
		if branch == "" {
			return
		}
		address = branch[:max(strings.LastIndexByte(branch, '.'), 0)]
		h.place(address).events = nil
	}
}

// after says that an address is in a branch behind one of its effects, or within one that is there.
func after(address, branch string, ordinal int) bool {
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

// forgive drops errors on which nothing was built, with which the run has failed: they are tried again. After a cancellation it
// drops the word of a signal by which the run was stopped, too.
func (h *history) forgive(stops bool) {
	newest := map[string]int{}
	for address, p := range h.places {
		if p.began() && !p.idle() {
			branch, ordinal := splitAddress(address)
			newest[branch] = max(newest[branch], ordinal)
		}
	}
	var forgiven []string
	for address, p := range h.places {
		if p.result != nil && p.at < h.lastEnd && (isError(p.result) || stops && stopsRun(p.result)) && last(address, newest) {
			forgiven = append(forgiven, address)
		}
		question := unknown.Question(nameOf(p))
		if a := p.answers[question]; a != nil && a.value == unknown.Fail && a.at < h.lastEnd {
			delete(p.answers, question)
		}
	}
	for _, address := range forgiven {
		if p := h.places[address]; p != nil {
			h.undo(address)
			p.drop()
			p.result, p.events = nil, nil
			p.intent = nil
		}
	}
}

// idle says that the effect was a sleep of no time, which workflows do to notice a cancellation: nothing is built on an error by that.
func (p *past) idle() bool {
	return p.intent != nil && p.intent.Name == kindSleep && p.intent.Value("what") == "0s"
}

// last says that nothing was done after an effect: not in its branch, nor in those around it after the group.
func last(address string, newest map[string]int) bool {
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
func nameOf(p *past) string {
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
