package trace

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// addIntent notes that an effect has begun.
func (b *builder) addIntent(r *journal.Record) {
	kind, what, args := Kind(r.Name), r.Value("what"), r.Value("args")
	agent := ""
	var question asked
	switch kind {
	case Model:
		agent = what
	case Ask:
		_ = json.Unmarshal([]byte(args), &question) // what cannot be read is not shown
		agent = question.Agent
	}

	b.dropReplacedWait(r.Address, kind)
	n := b.effectAt(r.Address, kind, agent)
	n.recordBegin(r.Time)
	n.Name, n.Args, n.Model = what, args, r.Value("model")
	n.caller = cmp.Or(question.Agent, r.Value("agent"))
	if r.Value("class") == "once" && r.Value("on_unknown") != "retry" {
		n.unknown = &interruption{}
	}
	if kind == Sleep {
		n.Args = describeWait(args)
	}
	if kind == Ask {
		if n.asked.IsZero() {
			n.asked = r.Time
		}
		n.Due, n.IsTimer = question.Due, question.Timer
		n.Text, n.Channel, n.Choices, n.Args = question.Prompt, question.Channel, question.Choices, ""
		n.Schema = question.Schema
	}
}

// describeWait returns how long a recorded wait is, and until when, for people. What cannot be read
// is shown as it is.
func describeWait(args string) string {
	var wait struct {
		For   string    `json:"for"`
		Until time.Time `json:"until"`
	}
	if err := json.Unmarshal([]byte(args), &wait); err != nil || wait.For == "" {
		return args
	}

	return "for " + wording.WrittenWait(wait.For) + ", until " + wording.Time(wait.Until)
}

// dropReplacedWait removes the wait at an address where an effect of another kind begins. A failed
// workflow looks for a cancellation by a wait of no time. A later process that carries the failed
// effect out again continues with its own effects from there.
func (b *builder) dropReplacedWait(address string, kind Kind) {
	wait := b.effects[address]
	if wait == nil || wait.Kind != Sleep || kind == Sleep {
		return
	}
	delete(b.effects, address)
	b.laneOf(address).node.visitAll(func(n *Node) {
		n.Children = slices.DeleteFunc(n.Children, func(child *Node) bool { return child == wait })
	})
}

// asked is a question as it is recorded.
type asked struct {
	Agent   string   `json:"agent"`
	Prompt  string   `json:"prompt"`
	Channel string   `json:"channel"`
	Choices []string `json:"choices"`
	Schema  string   `json:"schema"`
	// Due is when the time of the question is over, and Timer reports whether no person is asked.
	Due   time.Time `json:"due"`
	Timer bool      `json:"timer"`
}

// addResult notes how an effect ended.
func (b *builder) addResult(r *journal.Record) {
	if r.Name == "now" {
		return
	}
	n := b.effectAt(r.Address, Kind(r.Name), "")
	if n.Attempts == 0 {
		n.recordBegin(r.Time)
	}
	if !n.Ended.IsZero() && n.Problem != "" {
		n.Earlier = append(n.Earlier, n.Problem)
	}
	n.Ended = r.Time
	n.Problem, n.Type = r.Value("error"), r.Value("error_type")
	totals := &b.trace.Totals
	switch n.Kind {
	case Model:
		b.addReply(n, r)
	case Tool:
		totals.Tools++
		n.Value = r.Value("text")
		if problem := r.Value("problem"); problem != "" {
			n.Problem = problem
		}
	case Call:
		totals.Calls++
		n.Value = r.Value("value")
	case Ask:
		n.Value = r.Value("value")
		if by := r.Value("by"); by != "" {
			n.By = by
		}
		if n.answered.IsZero() {
			n.answered = r.Time
		}
		if n.Problem == "" {
			totals.Answers++
		}
	}
	if n.Problem != "" {
		b.problem = n.Problem
	}
}

func (b *builder) addReply(n *Node, r *journal.Record) {
	n.Text, n.Stop, n.Model = r.Value("text"), r.Value("stop"), cmp.Or(r.Value("model"), n.Model)
	n.Thoughts = thoughtsOf(r.Value("carry"))
	in, out, cost := 0, 0, int64(0)
	for _, before := range []string{"", "failed_"} { // a failed attempt has costs too
		in, out = in+parseNumber(r.Value(before+"tokens_in")), out+parseNumber(r.Value(before+"tokens_out"))
		spent, _ := strconv.ParseInt(r.Value(before+"cost"), 10, 64)
		cost += spent
		n.Estimated = n.Estimated || r.Value(before+"tokens_estimated") == "true"
	}
	n.In, n.Out, n.Cost = n.In+in, n.Out+out, n.Cost+cost
	n.Calls = nil
	_ = json.Unmarshal([]byte(r.Value("calls")), &n.Calls) // without calls there are none
	totals := &b.trace.Totals
	totals.Models++
	if r.Value("unpriced") == "true" {
		totals.Unpriced++
	}
	totals.In, totals.Out, totals.Cost = totals.In+in, totals.Out+out, totals.Cost+cost
	totals.Estimated = totals.Estimated || n.Estimated
	n.ListPrices = r.Value("list_prices")
	totals.ListPrices = max(totals.ListPrices, n.ListPrices)
}

// addAnswer notes what a person has said in between, with no process at work.
func (b *builder) addAnswer(r *journal.Record) {
	b.trace.StaysPaused = r.Value("stay_paused") == "true"
	n := b.effects[r.Address]
	switch {
	case n == nil:
		return
	case n.Kind != Ask: // the end of an effect with an unknown outcome
		if n.unknown != nil && n.unknown.answer == "" && r.Value("unchecked") != "true" { // the first one counts
			n.unknown.answer = r.Value("value")
		}
		n = n.addChild(&Node{Kind: Ask, Name: r.Name, Address: r.Address, Attempts: 1, Begun: r.Time, Ended: r.Time})
	}
	n.Value, n.By, n.answered, n.unchecked = r.Value("value"), r.Value("by"), r.Time, r.Value("unchecked") == "true"
}
