package app

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/cli/progress"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/diagram"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// drawers are the functions that describe nodes of events, for those whose row says so.
var drawers = eventkind.Functions[trace.Kind, func(*treeDrawer, *trace.Node) entry]{
	{Kind: trace.State, Call: (*treeDrawer).describeState},
	{Kind: trace.Decision, Call: (*treeDrawer).describeDecision},
	{Kind: trace.Finish, Call: (*treeDrawer).describeFinish},
	{Kind: trace.Resume, Call: (*treeDrawer).describeResume},
}

// describeNode describes a node.
func (d *treeDrawer) describeNode(n *trace.Node) entry {
	switch n.Kind {
	case trace.Agent:
		return entry{head: n.Name, style: styleBold}
	case trace.Branch:
		return entry{head: "branch " + n.Name, style: styleBold}
	}
	of := eventkind.NodeOf(string(n.Kind))
	switch {
	case of == nil:
		return d.describeEffect(n)
	case of.Tree == eventkind.ByCode:
		return drawers.Of(n.Kind)(d, n)
	}

	return d.eventNode(n, of)
}

// eventNode describes a node of an event in the words of its row.
func (d *treeDrawer) eventNode(n *trace.Node, of *eventkind.Node) entry {
	e := entry{head: eventkind.Words(of.Tree, func(field string) string {
		switch field {
		case "value":
			return d.shorten(n.Value)
		case "problem":
			return n.Problem
		}

		return n.Name
	})}
	if of.Tone == eventkind.Bad {
		e.style = styleRed
	}

	return e
}

func (d *treeDrawer) describeState(n *trace.Node) entry {
	e := entry{head: n.Name, style: styleBold}
	if n.Visit > 1 {
		e.head += fmt.Sprintf(" (visit %d)", n.Visit)
	}

	return e
}

func (d *treeDrawer) describeResume(n *trace.Node) entry {
	return entry{head: "process " + n.Name + " resumes the run, " + wording.Time(n.Begun), style: styleCyan}
}

// effectHeading describes what an effect does, and with which values.
func (d *treeDrawer) effectHeading(n *trace.Node) string {
	at := prefixNonEmpty("#", n.Address)
	switch n.Kind {
	case trace.Parallel:
		return joinNonEmpty(" ", strconv.Itoa(len(n.Children)), "side by side", at)
	case trace.Model:
		return joinNonEmpty(" ", "model", n.Model, at)
	case trace.Ask:
		if n.IsTimer {
			return joinNonEmpty(" ", "wait", n.Name, at, "until", wording.Time(n.Due))
		}
		return joinNonEmpty(": ", joinNonEmpty(" ", "ask", n.Name, at), d.shorten(n.Text))
	case trace.Sleep:
		return joinNonEmpty(" ", "wait", at, n.Args)
	case trace.Call:
		return joinNonEmpty(" ", "function", n.Name, at, d.shorten(n.Args))
	}

	return joinNonEmpty(" ", string(n.Kind), n.Name, at, d.shorten(n.Args))
}

// describeEffect describes an effect and its result.
func (d *treeDrawer) describeEffect(n *trace.Node) entry {
	e := entry{head: d.effectHeading(n)}
	if cost := joinNonEmpty(", ", formatTokens(n.In, n.Out, n.Estimated), wording.Money(n.Cost), formatDuration(n.Took())); cost != "" && n.Kind != trace.Parallel {
		e.head += " (" + cost + ")"
	}
	switch {
	case n.Problem != "":
		e.style = styleRed
		e.details = append(e.details, "failed: "+n.Problem)
	case n.Kind == trace.Ask && n.Value != "":
		e.details = append(e.details, "answer"+prefixNonEmpty(" by ", n.By)+": "+d.shorten(n.Value))
	case n.Open() && n.Kind == trace.Ask:
		e.style = styleCyan
		e.details = append(e.details, describeOpenQuestion(n))
	case n.Question != nil:
		e.style = styleCyan
		e.details = append(e.details, joinNonEmpty("; ", "was interrupted; question "+n.Question.ID+" waits for an answer",
			joinAfterPrefix("the choices are ", n.Question.Choices)))
	case n.Open() && n.Kind != trace.Parallel:
		e.style = styleCyan
		e.details = append(e.details, joinNonEmpty(" ", "has begun", prefixNonEmpty("at ", wording.Time(n.Begun)))+", and has no result")
	case n.Kind == trace.Model && len(n.Calls) > 0:
		var names []string
		for _, call := range n.Calls {
			names = append(names, call.Name)
		}
		e.details = append(e.details, joinAfterPrefix("calls ", names))
	case n.Kind == trace.Model && n.Text != "":
		e.details = append(e.details, "says: "+d.shorten(n.Text))
		d.said = n.Text
	case n.Kind != trace.Model && n.Value != "":
		e.details = append(e.details, "gives: "+d.shorten(n.Value))
	}

	return entry{e.head, e.style, append(d.describeAttempts(n), e.details...)}
}

// describeOpenQuestion describes what a question or a timer waits for.
func describeOpenQuestion(n *trace.Node) string {
	if n.IsTimer {
		return joinNonEmpty(", or before then with the answer ", "goes on by itself", strings.Join(n.Choices, ", "))
	}
	waits := "waits for an answer" + prefixNonEmpty(" until ", wording.Time(n.Due))

	return joinNonEmpty("; ", waits, joinAfterPrefix("the choices are ", n.Choices))
}

// describeAttempts describes the attempts before the one that counts.
func (d *treeDrawer) describeAttempts(n *trace.Node) []string {
	var lines []string
	before := ""
	for _, r := range n.Retries {
		problem := r.Problem
		if before != "" && progress.Alike(before, problem) {
			problem = progress.SameProblem
		}
		before = r.Problem
		if r.Model != "" {
			lines = append(lines, fmt.Sprintf("attempt %d failed, %s is asked instead: %s", r.Attempt, r.Model, problem))
			continue
		}
		lines = append(lines, fmt.Sprintf("attempt %d failed, again after %s: %s", r.Attempt, wording.WrittenWait(r.Wait), problem))
	}
	for _, problem := range n.Earlier {
		lines = append(lines, "failed, and was tried again by a later process: "+problem)
	}
	if broken := n.Attempts - 1 - len(n.Earlier); broken > 0 {
		lines = append(lines, "was interrupted "+formatTimes(broken)+", and begun again")
	}

	return lines
}

// describeDecision describes the row that was taken, how it was found, and the other rows.
func (d *treeDrawer) describeDecision(n *trace.Node) entry {
	e := entry{head: progress.Transition(&event.Event{State: n.From, Key: n.Key, To: n.To, Matched: n.Matched}), style: styleCyan}
	if n.Matched != string(rt.MatchUnconditional) && n.Matched != "" {
		e.head += " (" + n.Matched + ")"
	}
	for _, g := range n.Guards {
		e.details = append(e.details, "guard "+g.Guard+": "+map[bool]string{true: "yes", false: "no"}[g.OK]+wrapNonEmpty(" (", g.Reason, ")"))
	}
	if d.ways == nil {
		return e
	}
	if others := waysNotTaken(d.ways(n), n); len(others) > 0 {
		e.details = append(e.details, joinAfterPrefix("not taken: ", others))
	}

	return e
}

// waysNotTaken are the rows of the state but for the one that was taken.
func waysNotTaken(rows []*diagram.Edge, n *trace.Node) []string {
	taken := diagram.Taken(rows, n.Key, n.To)
	var others []string
	for _, row := range rows {
		if row != taken {
			others = append(others, wayText(row))
		}
	}

	return others
}

// wayText is a row by which a machine can leave a state.
func wayText(row *diagram.Edge) string {
	e := event.Event{Key: row.Label, To: strings.TrimSpace(row.To.Label)}
	if row.Label == "" {
		e.Matched = string(rt.MatchUnconditional)
	}

	return strings.TrimSpace(progress.Transition(&e))
}

func (d *treeDrawer) describeFinish(n *trace.Node) entry {
	e := entry{head: joinNonEmpty(" ", "finish", n.Key)}
	if n.Synthetic {
		e.head += " (synthetic: the model did not call finish)"
	}
	if n.Value != "" && n.Value != d.said {
		e.head += ": " + d.shorten(n.Value)
	}
	d.said = n.Value

	return e
}

// wrapNonEmpty returns a text between two others; "" if it is empty.
func wrapNonEmpty(prefix, text, suffix string) string {
	if text == "" {
		return ""
	}

	return prefix + text + suffix
}

func prefixNonEmpty(prefix, text string) string { return wrapNonEmpty(prefix, text, "") }

func joinAfterPrefix(prefix string, items []string) string {
	return prefixNonEmpty(prefix, strings.Join(items, ", "))
}

// joinNonEmpty joins the parts that are not empty.
func joinNonEmpty(by string, parts ...string) string {
	var there []string
	for _, part := range parts {
		if part != "" {
			there = append(there, part)
		}
	}

	return strings.Join(there, by)
}

func formatTimes(n int) string {
	if n == 1 {
		return "once"
	}

	return strconv.Itoa(n) + " times"
}

func formatTokens(in, out int, isEstimated bool) string {
	switch {
	case in+out == 0:
		return ""
	case isEstimated:
		return fmt.Sprintf("about %d tokens in, %d out, estimated", in, out)
	}

	return fmt.Sprintf("%d tokens in, %d out", in, out)
}

// formatDuration returns a time in words; "" if it is too short to mention.
func formatDuration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return ""
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	case d < time.Minute:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	case d < 24*time.Hour:
		return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
	}

	return fmt.Sprintf("%d d %d h", int(d.Hours())/24, int(d.Hours())%24)
}
