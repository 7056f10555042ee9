package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/diagram"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/internal/servers/wire"
	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// shownUpTo follows the message about a damaged journal.
const shownUpTo = "; what is before that byte is shown"

func showRun(c *cli.Call, p *compiled.Program, store journal.Store, run string) error {
	j, err := journal.Read(context.Background(), store, run)
	if j == nil {
		return journalError(c, err)
	}
	if shown := showJournal(c, p, store, j, err); shown != nil {
		return shown
	}
	if err != nil {
		return c.Errorf(cli.Problem, "%w%s", err, shownUpTo)
	}
	reportCut(c, j)

	return nil
}

// showJournal prints a run in the form that was asked for. damage is why it cannot be read to its
// end.
func showJournal(c *cli.Call, p *compiled.Program, store journal.Store, j *journal.Journal, damage error) error {
	switch {
	case c.On("records"):
		lines := make([]recordLine, len(j.Records))
		for i, r := range j.Records {
			lines[i] = recordLine{r.Type.String(), r.Time, r.Address, r.Name, fieldsJSON(r.Fields)}
		}
		return printLines(c.Stdout, lines)
	case !c.On("json"):
		return showTrace(c, p, store, j)
	}
	t := trace.Of(j.Records)
	status, err := statusOf(context.Background(), store, j.Run, t)
	if err != nil {
		return err
	}
	run := wire.RunOf(j.Run, t, status)
	wire.MarkStranded(run, p.Name, p.Shape)
	if damage != nil {
		run.Status, run.Problem, run.Stranded = client.Damaged, problemOf(damage), false
	}

	return printLines(c.Stdout, []*client.Run{run})
}

// journalError returns why a journal cannot be read.
func journalError(c *cli.Call, err error) error {
	switch {
	case errs.Is[*journal.DamagedError](err), errs.Is[*journal.FormatError](err), errors.Is(err, journal.ErrNotBegun), errors.Is(err, journal.ErrRunLocked):
		return c.Errorf(cli.Problem, "%w", err)
	case errors.Is(err, journal.ErrUnknownRun):
		return c.Usagef("%w", err)
	}

	return err
}

// reportCut reports the records that a crash has destroyed, if there are any.
func reportCut(c *cli.Call, j *journal.Journal) {
	if j.Cut != nil {
		c.Sayf("%s: they do not count", cells.Clean(j.Cut.Error()))
	}
}

// recordLine is a record of a journal as JSON.
type recordLine struct {
	Type    string          `json:"type"`
	Time    time.Time       `json:"time"`
	Address string          `json:"address,omitempty"`
	Name    string          `json:"name"`
	Fields  json.RawMessage `json:"fields,omitempty"`
}

// fieldsJSON is the fields as an object, in their order.
func fieldsJSON(fields []journal.Field) json.RawMessage {
	if len(fields) == 0 {
		return nil
	}
	var b bytes.Buffer
	encode := json.NewEncoder(&b)
	encode.SetEscapeHTML(false)
	for i, f := range fields {
		b.WriteByte("{,"[min(i, 1)])
		_ = encode.Encode(f.Name) // text can be encoded
		b.WriteByte(':')
		_ = encode.Encode(f.Value)
	}
	b.WriteByte('}')

	return b.Bytes()
}

// showTrace prints what a run did.
func showTrace(c *cli.Call, p *compiled.Program, store journal.Store, j *journal.Journal) error {
	t := trace.Of(j.Records)
	status, err := statusOf(context.Background(), store, j.Run, t)
	if err != nil {
		return err
	}
	_, err = io.WriteString(c.Stdout, drawTrace(&treeDrawer{color: c.Color(c.Stdout), full: c.On("full"), columns: columnsOf(c)}, p, t, status))

	return err
}

// drawTrace is what a run did, as text.
func drawTrace(d *treeDrawer, p *compiled.Program, t *trace.Trace, status client.Status) string {
	if p != nil && t.Program == p.Name && t.Shape == p.Shape {
		d.ways = func(n *trace.Node) []*diagram.Edge { return waysOf(p, n) }
	}
	d.writeHead(t, status)
	d.writeLine("", "", "")
	d.writeEntry(d.describeNode(t.Root), "", "")
	d.writeChildren(t.Root, "")
	d.writeTail(t)

	return d.b.String()
}

// waysOf are the rows that a decision had to choose from.
func waysOf(p *compiled.Program, n *trace.Node) []*diagram.Edge {
	for _, name := range []string{n.Machine, n.Owner} {
		for _, a := range p.Agents {
			if a.Name == name && a.Graph != "" {
				return diagram.Read(a.Graph).Rows(n.Machine, n.From)
			}
		}
	}

	return nil
}

// writeHead prints the name, the status and the cost of a run.
func (d *treeDrawer) writeHead(t *trace.Trace, status client.Status) {
	d.writeEntry(entry{head: "run " + t.Run + ": " + string(status), style: styleBold}, "", "")
	who := t.Agent
	if t.Program != t.Agent {
		who += " of program " + t.Program
	}
	d.writeEntry(entry{head: "agent " + who}, "", "  ")
	took := ""
	if last := len(t.Processes) - 1; last >= 0 {
		took = formatDuration(t.Processes[last].Ended.Sub(t.Begun))
	}
	for _, text := range []string{
		prefixNonEmpty("a copy of run ", joinNonEmpty(", up to #", t.ForkedFrom, t.ForkedAt)), // one that an edit did not change has all of the run
		"input: " + d.shorten(t.Input),
		prefixNonEmpty("context: ", d.shorten(t.Context)),
		prefixNonEmpty("final context: ", d.shorten(t.FinalContext)),
		"began " + wording.Time(t.Begun) + prefixNonEmpty(", took ", took),
		formatTotals(t.Totals),
	} {
		if text != "" {
			d.writeEntry(entry{head: text}, "", "  ")
		}
	}
}

// formatTotals returns the totals of a run in words.
func formatTotals(t trace.Totals) string {
	return joinNonEmpty(", ",
		wording.Count(t.Models, "model call", "model calls"), formatTokens(t.In, t.Out, t.Estimated), wording.Money(t.Cost)+prefixNonEmpty(" at list prices of ", t.ListPrices),
		wording.Count(t.Unpriced, "call of unknown cost", "calls of unknown cost"),
		wording.Count(t.Tools, "tool call", "tool calls"), wording.Count(t.Calls, "function call", "function calls"),
		wording.Count(t.Answers, "answer", "answers"), wording.Count(t.Retries, "retry", "retries"), wording.Count(t.Repairs, "repair", "repairs"),
		wording.Count(t.Synthetic, "synthetic finish", "synthetic finishes"))
}

// writeTail prints the processes that worked on the run, what it waits for, and its result.
func (d *treeDrawer) writeTail(t *trace.Trace) {
	if len(t.Processes) > 1 {
		d.writeLine("", "", "")
		for i, p := range t.Processes {
			d.writeEntry(entry{head: fmt.Sprintf("process %d: %s", i+1, processText(p, t.ForkedFrom != "" && i == 0))}, "", "  ")
		}
	}
	switch {
	case t.Status == trace.Paused: // the tree shows what it waits for
	case t.Status == trace.Cancelled && t.Problem != "":
		d.writeLine("", "", "")
		d.writeEntry(entry{head: t.Problem, style: styleRed}, "", "  ")
	case t.Problem != "":
		d.writeLine("", "", "")
		d.writeEntry(entry{head: t.Status + ": " + t.Problem, style: styleRed}, "", "  ")
	case t.Status == trace.Done:
		d.writeLine("", "", "")
		d.writeLine("", "result"+wrapNonEmpty(" (", cells.Clean(t.Key), ")")+":", styleBold)
		for _, line := range strings.Split(strings.TrimSuffix(t.Value, "\n"), "\n") {
			d.writeLine("", cells.Clean(line), "")
		}
	}
}

// processText describes a process; copied reports whether it did nothing but make the copy of a
// run.
func processText(p trace.Process, copied bool) string {
	left := p.Status
	switch {
	case copied:
		left = "made the copy"
	case left == trace.Open:
		left = "crashed or was killed, or still runs"
	}
	program := ""
	switch {
	case p.NewShape && p.Forced:
		program = "with a program of another shape, by force"
	case p.NewText:
		program = "with other prompts"
	}

	by := ""
	if p.By != "" {
		by = "by " + cells.Clean(p.By)
	}

	return joinNonEmpty(", ", wording.Time(p.Begun), formatDuration(p.Ended.Sub(p.Begun)), by, program, left)
}
