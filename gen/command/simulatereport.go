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
		states, rows := m.Count()
		fmt.Fprintf(table, "%s\t%d of %s, %d of %s\n", m.Name(), states, words.Count(len(m.States), "state"), rows, words.Count(len(m.Rows), "row"))
	}
	_ = table.Flush() // a strings.Builder returns no error
	for _, e := range s.result.Endless {
		name := e.Agent.Name
		fmt.Fprintf(&b, "%s: no run that begins with %q ends: %s\n", s.position(name), name.Value, e.Why.Text)
	}
	s.writeUntaken(&b)
	for _, row := range s.result.Open() {
		fmt.Fprintf(&b, "%s: some run may take %s: %s\n", s.position(row.Key()), describeRow(row), row.Why.Text)
	}
	for _, u := range s.unscripted {
		fmt.Fprintf(&b, "%s: no script takes %s: %s\n", s.position(u.Row.Key()), describeRow(u.Row), u.Why)
	}

	return b.String()
}

// writeUntaken lists the rows that no run takes. Of rows that only endless runs take, it lists the
// first of each machine.
func (s *simulation) writeUntaken(b *strings.Builder) {
	taken := map[*simulate.Machine]int{}
	for _, row := range s.result.Left() {
		if row.Taken {
			taken[row.Machine]++
		}
	}
	listed := map[*simulate.Machine]bool{}
	for _, row := range s.result.Left() {
		at := s.position(row.Key())
		switch {
		case !row.Taken:
			fmt.Fprintf(b, "%s: no run takes %s: %s\n", at, describeRow(row), row.Why.Text)
		case listed[row.Machine] || len(s.result.Endless) == len(s.options.Roots):
		case row.Why.Reason != simulate.NoEnd:
			fmt.Fprintf(b, "%s: no run that takes %s ends: %s\n", at, describeRow(row), row.Why.Text)
		default:
			listed[row.Machine] = true
			fmt.Fprintf(b, "%s: no run that takes %s ends", at, describeRow(row))
			if n := taken[row.Machine] - 1; n > 0 {
				fmt.Fprintf(b, " (nor one that takes %s)", words.Count(n, "further row"))
			}
			b.WriteByte('\n')
		}
	}
}

// describeRow names a row in a sentence.
func describeRow(row *simulate.Row) string {
	state, machine := row.State.Name.Value, row.Machine.Name()
	switch {
	case row.Machine.Step != nil:
		return fmt.Sprintf("the row on %s from %q in machine %q", row.Key().Value, state, machine)
	case row.Row == nil:
		return fmt.Sprintf("the only row of state %q in machine %q", state, machine)
	}

	return fmt.Sprintf("row %q of state %q in machine %q", row.Key().Value, state, machine)
}

// drawArrow draws a row.
func drawArrow(row *simulate.Row) string {
	line := " --> "
	if row.Key().Value != "" {
		line = " --" + row.Key().Value + "--> "
	}

	return row.Machine.Name() + ": " + row.State.Name.Value + line + cmp.Or(row.To().Value, "end")
}

// position returns the position of a text as file:line:column.
func (s *simulation) position(text ir.Text) string {
	at := text.Span.Pos()

	return fmt.Sprintf("%s:%d:%d", s.p.label(s.c)(text.Span.File.Path), at.Line, at.Column)
}

func (s *simulation) summaryLine() string {
	if len(s.result.Machines) == 0 {
		if len(s.result.Endless) == len(s.options.Roots) {
			return "" // the reason was printed already
		}
		names := ir.Map(s.options.Roots, func(a *ir.Agent) string { return fmt.Sprintf("%s (%s)", a.Name.Value, a.Node.Pattern()) })
		return "no machine is reached from " + strings.Join(names, ", ") + ": there are no rows"
	}
	taken, all := 0, 0
	for _, m := range s.result.Machines {
		_, rows := m.Count()
		taken, all = taken+rows, all+len(m.Rows)
	}

	return fmt.Sprintf("%d of %s taken in %s", taken, words.Count(all, "row"), words.Count(len(s.result.Machines), "machine"))
}

// The JSON of simulate.
type (
	jsonReport struct {
		Agents   []string      `json:"agents"`
		Endless  []string      `json:"endless"`
		Machines []jsonMachine `json:"machines"`
		Scripts  []jsonScript  `json:"scripts,omitempty"`
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
	jsonRow struct {
		State string `json:"state"`
		// Key is null for the row of an unconditional state. To is null if the machine ends by ~.
		Key *string `json:"key"`
		To  *string `json:"to"`
		// When is the guard of a row in a workflow, whose key is its event.
		When   string `json:"when,omitempty"`
		Line   int    `json:"line"`
		Column int    `json:"column"`
		Taken  bool   `json:"taken"`
		// Turns is the length of the shortest run that takes the row; null if none ends.
		Turns  *int   `json:"turns"`
		Reason string `json:"reason,omitempty"`
		Why    string `json:"why,omitempty"`
		// Open is set if only a run shows whether the row can be taken.
		Open bool `json:"open,omitempty"`
		// Script is the file whose run takes the row first, Unscripted the reason why there is
		// none.
		Script     string `json:"script,omitempty"`
		Unscripted string `json:"unscripted,omitempty"`
	}
	jsonScript struct {
		File  string   `json:"file"`
		Agent string   `json:"agent"`
		Turns int      `json:"turns"`
		Rows  []string `json:"rows"`
	}
)

func (s *simulation) newJSONReport() jsonReport {
	out := jsonReport{Agents: agentNames(s.options.Roots), Machines: []jsonMachine{}}
	out.Endless = ir.Map(s.result.Endless, func(e simulate.Endless) string { return e.Agent.Name.Value })
	script := map[*simulate.Row]string{}
	for _, written := range s.scripts {
		file := s.scriptPath(written)
		js := jsonScript{File: file, Agent: written.Root.Name.Value, Turns: written.Length, Rows: []string{}}
		for _, row := range written.Rows {
			js.Rows = append(js.Rows, drawArrow(row))
			if written.For == row || script[row] == "" {
				script[row] = file
			}
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

	return out
}

func (s *simulation) newJSONRow(row *simulate.Row, script string) jsonRow {
	at := row.Key().Span.Pos()
	out := jsonRow{
		State: row.State.Name.Value, Line: at.Line, Column: at.Column, Taken: row.Taken,
		Reason: string(row.Why.Reason), Why: row.Why.Text, Open: row.Open, Script: script,
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
	if row.Ends {
		out.Turns = &row.Turns
	}
	if i := slices.IndexFunc(s.unscripted, func(u simulate.Unscripted) bool { return u.Row == row }); i >= 0 {
		out.Unscripted = s.unscripted[i].Why
	}

	return out
}

func agentNames(agents []*ir.Agent) []string {
	return ir.Map(agents, func(a *ir.Agent) string { return a.Name.Value })
}
