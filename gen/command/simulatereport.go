package command

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/simulate"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

func (s *simulation) printResult() error {
	if s.c.On("json") {
		return printJSON(s.c.Stdout, s.newJSONReport())
	}

	return s.c.Print(s.resultText())
}

func (s *simulation) resultText() string {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, m := range s.result.Machines {
		states, rows := m.CountCovered()
		fmt.Fprintf(table, "%s\t%d of %s, %d of %s\n", m.Name(), states, words.Count(len(m.States), "state"), rows, words.Count(len(m.Rows), "row"))
	}
	for _, of := range s.flowSteps() {
		taken, all := countCases(of.steps)
		fmt.Fprintf(table, "%s\t%d of %s in %s\n", of.agent.Name.Value, taken, words.Count(all, "case"), words.Count(len(of.steps), "step"))
	}
	_ = table.Flush() // a strings.Builder returns no error
	for _, e := range s.result.Endless {
		name := e.Agent.Name
		fmt.Fprintf(&b, "%s: no run that begins with %q ends: %s\n", s.position(name), name.Value, e.Why.Text)
	}
	for _, e := range s.result.Doubtful {
		name := e.Agent.Name
		fmt.Fprintf(&b, "%s: some run that begins with %q may end: %s\n", s.position(name), name.Value, e.Why.Text)
	}
	s.writeUntaken(&b)
	for _, row := range s.result.OpenRows() {
		fmt.Fprintf(&b, "%s: some run may take %s: %s\n", s.position(row.Key()), describeTarget(row), row.Why.Text)
	}
	for _, step := range s.result.Steps {
		s.writeUntakenCases(&b, step)
	}
	for _, u := range s.unscripted {
		fmt.Fprintf(&b, "%s: no script takes %s: %s\n", s.position(targetText(u.Target)), describeTarget(u.Target), u.Why)
	}

	return b.String()
}

// stepsOfFlow are the steps of a flow that have cases.
type stepsOfFlow struct {
	agent *ir.Agent
	steps []*simulate.Step
}

// flowSteps returns the steps that have cases, by flow.
func (s *simulation) flowSteps() []stepsOfFlow {
	var all []stepsOfFlow
	for _, step := range s.result.Steps {
		if len(all) == 0 || all[len(all)-1].agent != step.Agent {
			all = append(all, stepsOfFlow{agent: step.Agent})
		}
		of := &all[len(all)-1]
		of.steps = append(of.steps, step)
	}

	return all
}

// countCases returns how many cases of some steps are taken by runs that end, and how many there
// are.
func countCases(steps []*simulate.Step) (taken, all int) {
	for _, step := range steps {
		taken, all = taken+step.CountCovered(), all+len(step.Cases)
	}

	return taken, all
}

// writeUntakenCases lists the cases of a step that no run which ends takes: those with the same
// reason in one line.
func (s *simulation) writeUntakenCases(b *strings.Builder, step *simulate.Step) {
	left := ir.Where(step.Cases, func(c *simulate.Case) bool { return !c.Ends })
	for len(left) > 0 {
		first := left[0]
		isLike := func(c *simulate.Case) bool {
			return c.Why == first.Why && c.Taken == first.Taken && c.Open == first.Open
		}
		cases := ir.Map(ir.Where(left, isLike), (*simulate.Case).String)
		left = slices.DeleteFunc(left, isLike)
		what := fmt.Sprintf("%s in step %q", words.List(cases, "or", len(cases)), step.Task.Name.Value)
		at := s.position(first.At())
		switch {
		case first.Open:
			fmt.Fprintf(b, "%s: some run may take %s: %s\n", at, what, first.Why.Text)
		case first.Taken:
			fmt.Fprintf(b, "%s: no run that takes %s ends: %s\n", at, what, first.Why.Text)
		default:
			fmt.Fprintf(b, "%s: no run takes %s: %s\n", at, what, first.Why.Text)
		}
	}
}

// writeUntaken lists the rows that no run takes. Where runs take rows of a machine and then never
// end, the first is listed.
func (s *simulation) writeUntaken(b *strings.Builder) {
	more := map[*simulate.Machine]int{}
	for _, row := range s.result.UncoveredRows() {
		if row.Taken {
			more[row.Machine]++
		}
	}
	listed := map[*simulate.Machine]bool{}
	for _, row := range s.result.UncoveredRows() {
		at := s.position(row.Key())
		switch {
		case !row.Taken:
			fmt.Fprintf(b, "%s: no run takes %s: %s\n", at, describeTarget(row), row.Why.Text)
		case listed[row.Machine] || len(s.result.Endless) == len(s.options.Roots):
		case row.Why.Reason != simulate.NoEnd:
			fmt.Fprintf(b, "%s: no run that takes %s ends: %s\n", at, describeTarget(row), row.Why.Text)
		default:
			listed[row.Machine] = true
			fmt.Fprintf(b, "%s: no run that takes %s ends", at, describeTarget(row))
			if n := more[row.Machine] - 1; n > 0 {
				fmt.Fprintf(b, " (nor one that takes %s)", words.Count(n, "further row"))
			}
			b.WriteByte('\n')
		}
	}
}

// describeTarget names a row or a case.
func describeTarget(t simulate.Target) string {
	c, isCase := t.(*simulate.Case)
	if isCase {
		return fmt.Sprintf("%s in step %q", c, c.Step.Task.Name.Value)
	}
	row := t.(*simulate.Row)
	state, machine := row.State.Name.Value, row.Machine.Name()
	switch {
	case row.Machine.Step != nil:
		return fmt.Sprintf("the row on %s from %q in machine %q", row.Key().Value, state, machine)
	case row.Row == nil:
		return fmt.Sprintf("the only row of state %q in machine %q", state, machine)
	}

	return fmt.Sprintf("row %q of state %q in machine %q", row.Key().Value, state, machine)
}

// caseLine writes a case as a line of a script's comment.
func caseLine(c *simulate.Case) string {
	return fmt.Sprintf("%s, step %q: %s", c.Step.Agent.Name.Value, c.Step.Task.Name.Value, c)
}

// drawArrow draws a row.
func drawArrow(row *simulate.Row) string {
	line := " --> "
	if row.Key().Value != "" {
		line = " --" + row.Key().Value + "--> "
	}

	return row.Machine.Name() + ": " + row.State.Name.Value + line + cmp.Or(row.To().Value, "end")
}

// targetText returns where the source has a row or a case.
func targetText(t simulate.Target) ir.Text {
	c, isCase := t.(*simulate.Case)
	if isCase {
		return c.At()
	}

	return t.(*simulate.Row).Key()
}

// position returns the position of a text as file:line:column.
func (s *simulation) position(text ir.Text) string {
	at := text.Span.Pos()

	return fmt.Sprintf("%s:%d:%d", s.p.label(s.c)(text.Span.File.Path), at.Line, at.Column)
}

func (s *simulation) summaryLine() string {
	if len(s.result.Machines) == 0 && len(s.result.Steps) == 0 {
		if len(s.result.Endless)+len(s.result.Doubtful) == len(s.options.Roots) {
			return "" // the reason was printed already
		}
		names := ir.Map(s.options.Roots, func(a *ir.Agent) string { return fmt.Sprintf("%s (%s)", a.Name.Value, a.Node.Pattern()) })
		return "no machine is reached from " + strings.Join(names, ", ") + ": there are no rows, and no step with several cases"
	}
	taken, all := 0, 0
	for _, m := range s.result.Machines {
		_, rows := m.CountCovered()
		taken, all = taken+rows, all+len(m.Rows)
	}

	var parts []string
	if len(s.result.Machines) > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s taken in %s", taken, words.Count(all, "row"), words.Count(len(s.result.Machines), "machine")))
	}
	if len(s.result.Steps) > 0 {
		taken, all := countCases(s.result.Steps)
		parts = append(parts, fmt.Sprintf("%d of %s taken in %s", taken, words.Count(all, "case"), words.Count(len(s.result.Steps), "step")))
	}

	return strings.Join(parts, ", ")
}

// The JSON of simulate.
type (
	jsonReport struct {
		Agents   []string      `json:"agents"`
		Endless  []string      `json:"endless"`
		Machines []jsonMachine `json:"machines"`
		// Steps are those that runs can take in several ways.
		Steps   []jsonStep   `json:"steps"`
		Scripts []jsonScript `json:"scripts,omitempty"`
	}
	jsonMachine struct {
		Name   string      `json:"name"`
		File   string      `json:"file"`
		States []jsonState `json:"states"`
		Rows   []jsonRow   `json:"rows"`
	}
	jsonState struct {
		Name    string `json:"name"`
		Reached bool   `json:"reached"`
	}
	jsonStep struct {
		Agent  string     `json:"agent"`
		Name   string     `json:"name"`
		File   string     `json:"file"`
		Line   int        `json:"line"`
		Column int        `json:"column"`
		Cases  []jsonCase `json:"cases"`
	}
	jsonCase struct {
		Kind simulate.CaseKind `json:"kind"`
		// Name is that of the branch, or the answer.
		Name string `json:"name,omitempty"`
		jsonCoverage
	}
	// jsonCoverage is what runs do about a row or a case.
	jsonCoverage struct {
		Taken bool `json:"taken"`
		// Turns are those of the shortest run that takes it; null if none ends.
		Turns  *int   `json:"turns"`
		Reason string `json:"reason,omitempty"`
		Why    string `json:"why,omitempty"`
		// Open is set if only a run shows whether one takes it.
		Open bool `json:"open,omitempty"`
		// Script is the file whose run takes it first, Unscripted the reason why there is none.
		Script     string `json:"script,omitempty"`
		Unscripted string `json:"unscripted,omitempty"`
	}
	jsonRow struct {
		State string `json:"state"`
		// Key is null for the row of an unconditional state, To is null where the machine ends by
		// ~.
		Key *string `json:"key"`
		To  *string `json:"to"`
		// When is the guard of a row in a workflow, whose key is its event.
		When   string `json:"when,omitempty"`
		Line   int    `json:"line"`
		Column int    `json:"column"`
		jsonCoverage
	}
	jsonScript struct {
		File  string   `json:"file"`
		Agent string   `json:"agent"`
		Turns int      `json:"turns"`
		Rows  []string `json:"rows"`
		Cases []string `json:"cases"`
	}
)

func (s *simulation) newJSONReport() jsonReport {
	out := jsonReport{Agents: agentNames(s.options.Roots), Machines: []jsonMachine{}, Steps: []jsonStep{}}
	out.Endless = ir.Map(s.result.Endless, func(e simulate.Endless) string { return e.Agent.Name.Value })
	script := map[simulate.Target]string{}
	note := func(of *simulate.Script, t simulate.Target) {
		if of.For == t || script[t] == "" {
			script[t] = s.scriptPath(of)
		}
	}
	for _, of := range s.scripts {
		file := s.scriptPath(of)
		js := jsonScript{File: file, Agent: of.Root.Name.Value, Turns: of.Length, Rows: []string{}, Cases: []string{}}
		for _, row := range of.Rows {
			js.Rows = append(js.Rows, drawArrow(row))
			note(of, row)
		}
		for _, c := range of.Cases {
			js.Cases = append(js.Cases, caseLine(c))
			note(of, c)
		}
		out.Scripts = append(out.Scripts, js)
	}
	for _, m := range s.result.Machines {
		jm := jsonMachine{Name: m.Name(), File: s.p.label(s.c)(m.Agent.File.Path)}
		for _, state := range m.States {
			jm.States = append(jm.States, jsonState{state.Name.Value, state.Reached})
		}
		jm.Rows = ir.Map(m.Rows, func(row *simulate.Row) jsonRow { return s.newJSONRow(row, script[row]) })
		out.Machines = append(out.Machines, jm)
	}

	for _, step := range s.result.Steps {
		at := step.At()
		pos := at.Span.Pos()
		js := jsonStep{
			Agent: step.Agent.Name.Value, Name: step.Task.Name.Value, File: s.p.label(s.c)(at.Span.File.Path), Line: pos.Line, Column: pos.Column,
		}
		js.Cases = ir.Map(step.Cases, func(c *simulate.Case) jsonCase {
			return jsonCase{c.Kind, c.Name, s.newJSONCoverage(c, c.Coverage, script[c])}
		})
		out.Steps = append(out.Steps, js)
	}

	return out
}

// newJSONCoverage describes what runs do about a target, and the script that takes it.
func (s *simulation) newJSONCoverage(t simulate.Target, c simulate.Coverage, script string) jsonCoverage {
	out := jsonCoverage{Taken: c.Taken, Reason: string(c.Why.Reason), Why: c.Why.Text, Open: c.Open, Script: script}
	if c.Ends {
		out.Turns = &c.Turns
	}
	if i := slices.IndexFunc(s.unscripted, func(u simulate.Unscripted) bool { return u.Target == t }); i >= 0 {
		out.Unscripted = s.unscripted[i].Why
	}

	return out
}

func (s *simulation) newJSONRow(row *simulate.Row, script string) jsonRow {
	at := row.Key().Span.Pos()
	out := jsonRow{
		State: row.State.Name.Value, Line: at.Line, Column: at.Column, jsonCoverage: s.newJSONCoverage(row, row.Coverage, script),
	}
	if key := row.Key().Value; key != "" {
		out.Key = &key
	}
	if row.Row != nil && row.Row.When != nil {
		out.When = row.Row.When.Text.Value
	}
	if to := row.To().Value; to != "" {
		out.To = &to
	}

	return out
}

func agentNames(agents []*ir.Agent) []string {
	return ir.Map(agents, func(a *ir.Agent) string { return a.Name.Value })
}
