package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/internal/servers/wire"
	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
	"github.com/agentc-dev/agentc/runtime/internal/text/nearest"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/size"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

var runStates = []string{
	string(client.Done), string(client.Failed), string(client.Paused), string(client.Cancelled), string(client.Running),
	string(client.Interrupted), string(client.Quarantined), string(client.Damaged),
}

// listedRun is a run with what only the table of runs says of it.
type listedRun struct {
	client.Run
	// where is where a run is that is not done.
	where string
}

// readRuns reads the runs of a store that fit a query and have a status, unless that is "", the
// newest first; those that cannot be read come last.
func readRuns(ctx context.Context, store journal.Store, status string, q journal.Query) ([]listedRun, error) {
	names, err := store.List(ctx, journal.Query{Statuses: labelsOf(status), Agent: q.Agent, Since: q.Since})
	if err != nil {
		return nil, err
	}
	all := make([]listedRun, 0, len(names))
	for _, name := range names {
		of, err := readRun(ctx, store, name)
		if errors.Is(err, journal.ErrUnknownRun) || errors.Is(err, journal.ErrNotBegun) {
			continue // it was removed meanwhile, or has not happened
		}
		if err != nil {
			of = damagedRun(name, err)
		}
		if (status == "" || string(of.Status) == status) && q.Fits(journal.Labels{Agent: of.Agent, Begun: of.Begun}) {
			all = append(all, listedRun{Run: *of})
		}
	}
	sort.Slice(all, func(i, j int) bool {
		return cmp.Or(all[j].Begun.Compare(all[i].Begun), cmp.Compare(all[j].ID, all[i].ID)) < 0
	})

	return all, nil
}

// labelsOf returns the label that runs of a status have; nil where they may have any.
func labelsOf(status string) []string {
	switch client.Status(status) {
	case "", client.Damaged:
		return nil
	case client.Running, client.Interrupted:
		return []string{trace.Open}
	}

	return []string{status}
}

// readRun reads a run without what has happened in between: questions, answers, and what its models
// have used.
func readRun(ctx context.Context, store journal.Store, run string) (*client.Run, error) {
	o, err := journal.Read(ctx, store, run, trace.Outline...)
	if err != nil {
		return nil, err
	}
	t := trace.Of(o.Records)
	t.Changed = o.Changed
	status, err := statusOf(ctx, store, run, t)
	if err != nil {
		return nil, err
	}

	return wire.RunOf(run, t, status), nil
}

// damagedRun is a run whose journal cannot be read.
func damagedRun(run string, err error) *client.Run {
	return &client.Run{
		ID: run, Status: client.Damaged, Questions: []client.Question{}, Answers: []client.Answer{},
		Problem: problemOf(err),
	}
}

func problemOf(err error) *client.Problem {
	return &client.Problem{Type: runtime.ErrorType(err), Message: err.Error()}
}

// readDetails reads the whole journal of a run. A finished run has its details without that, so its
// journal is read only if all are wanted.
func (r *listedRun) readDetails(ctx context.Context, store journal.Store, all bool) error {
	if r.Status == client.Done && !all || r.Status == client.Damaged {
		return nil
	}
	j, err := journal.Read(ctx, store, r.ID)
	if errors.Is(err, journal.ErrUnknownRun) {
		return nil // it was removed meanwhile
	}
	if err != nil {
		return err
	}
	t := trace.Of(j.Records)
	status, err := statusOf(ctx, store, r.ID, t)
	if err != nil {
		return err
	}
	r.Run = *wire.RunOf(r.ID, t, status)
	r.where = strings.Join(t.Where, " > ")
	if doing := underWay(t.Root); doing != nil && status == client.Running {
		name, since := cmp.Or(doing.Model, doing.Name), formatDuration(time.Since(doing.Begun).Truncate(time.Second))
		r.where = joinNonEmpty(": ", r.where, joinNonEmpty(" ", string(doing.Kind), name, "for", since))
	}

	return nil
}

// underWay is the model, tool or function of a run that began last and has no result; nil if there
// is none.
func underWay(n *trace.Node) (last *trace.Node) {
	if n.Open() && (n.Kind == trace.Model || n.Kind == trace.Tool || n.Kind == trace.Call) {
		last = n
	}
	for _, child := range n.Children {
		if c := underWay(child); c != nil && (last == nil || c.Begun.After(last.Begun)) {
			last = c
		}
	}

	return last
}

// statusOf is the state of a run. One without an end is running if a process owns it.
func statusOf(ctx context.Context, store journal.Store, run string, t *trace.Trace) (client.Status, error) {
	if t.Status != trace.Open {
		return client.Status(t.Status), nil
	}
	owned, err := store.Owned(ctx, run)
	if owned {
		return client.Running, err
	}

	return client.Interrupted, err
}

func listRuns(c *cli.Call, p *compiled.Program, store journal.Store) error {
	q := journal.Query{Agent: c.Flag("agent")}
	if c.On("since") {
		age, err := size.Duration(c.Flag("since"))
		if err != nil {
			return c.Usagef("--since %q %w", c.Flag("since"), err)
		}
		q.Since = time.Now().Add(-age)
	}
	ctx := context.Background()
	all, err := readRuns(ctx, store, c.Flag("status"), q)
	for i := 0; i < len(all) && err == nil; i++ {
		err = all[i].readDetails(ctx, store, c.On("json"))
		if p != nil {
			wire.MarkStranded(&all[i].Run, p.Name, p.Shape)
		}
	}
	if err != nil {
		return err
	}
	print := func() error { return printRuns(c.Stdout, all, time.Now(), columnsOf(c)) }
	if c.On("json") {
		print = func() error {
			lines := make([]client.Run, len(all))
			for i, r := range all {
				lines[i] = r.Run
			}
			return printLines(c.Stdout, lines)
		}
	}
	if err := print(); err != nil {
		return err
	}
	if len(all) == 0 && !c.On("json") {
		fmt.Fprintf(c.Stderr, "%s: no runs in %s\n", c.Program.Name, cells.Clean(storePlace(c, p)))
	}

	return nil
}

func printLines[T any](w io.Writer, items []T) error {
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	for _, item := range items {
		if err := lines.Encode(item); err != nil {
			return err
		}
	}

	return nil
}

// columnsOf is how wide a table may be: as wide as the terminal. What a program reads is not cut.
func columnsOf(c *cli.Call) int {
	if d, ok := c.Stdout.(*drawn); ok {
		return d.columns
	}
	if !c.IsTerminal(c.Stdout) {
		return math.MaxInt
	}
	columns, _ := c.Size(c.Stdout)

	return columns
}

// The widest that an agent's name is in a table, and the narrowest that the last column gets.
const mostAgent, leastDetails = 16, 10

// printRuns prints a table of so many cells; columns for which there is no room are left out. When
// a run was started is in its name, and in --json.
func printRuns(w io.Writer, all []listedRun, now time.Time, columns int) error {
	if len(all) == 0 {
		return nil
	}
	rows := [][]string{{"RUN", "STATUS", "AGENT", "CHANGED", "DETAILS"}}
	for _, r := range all {
		rows = append(rows, []string{r.ID, string(r.Status), cells.Cut(cells.Harmless(r.Agent), mostAgent), formatAge(r.Changed, now), cells.Harmless(r.statusLine())})
	}

	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], cells.Width(cell))
		}
	}
	left := columns
	for _, width := range widths[:len(widths)-1] {
		left -= width + 2
	}
	for ; left < leastDetails && len(widths) > 3; widths = slices.Delete(widths, 2, 3) { // without AGENT, then without CHANGED
		left += widths[2] + 2
		for i := range rows {
			rows[i] = slices.Delete(rows[i], 2, 3)
		}
	}
	last := len(widths) - 1
	var b strings.Builder
	for _, row := range rows {
		line := ""
		for i, cell := range row[:last] {
			line += cell + strings.Repeat(" ", widths[i]+2-cells.Width(cell))
		}
		line = strings.TrimRight(line+cells.Cut(row[last], max(left, leastDetails)), " ")
		b.WriteString(cells.Cut(line, columns) + "\n")
	}
	_, err := io.WriteString(w, b.String())

	return err
}

// statusLine describes on one line what a run waits for, what went wrong, or its result, else its
// agent and state.
func (r listedRun) statusLine() string {
	text := r.where
	switch {
	case r.Status == client.Failed && r.Problem != nil:
		text = r.Problem.Message
	case len(r.Questions) == 1:
		text = joinNonEmpty(" ", r.Questions[0].ID, r.Questions[0].Example) + ": " + r.Questions[0].Prompt
		if due := r.Questions[0].Due; !due.IsZero() && !r.Questions[0].Timer {
			text += " (until " + due.Local().Format(time.RFC3339) + ")"
		}
	case len(r.Questions) > 1:
		text = fmt.Sprintf("%d questions", len(r.Questions))
		for i, q := range r.Questions {
			text += map[bool]string{true: ": ", false: ", "}[i == 0] + q.ID
		}
	case r.Problem != nil:
		text = r.Problem.Message
	case r.Status == client.Paused && r.ForkedFrom != "":
		text = "not resumed: resume continues it"
	case r.Status == client.Paused:
		text = "answered, and not resumed: resume continues it"
	case r.Result != nil:
		text = joinNonEmpty(": ", r.Result.Key, r.Result.Value)
	}
	if r.Stranded {
		text = joinNonEmpty(": ", "needs another version of the program", text)
	}

	return cells.Clean(text)
}

// formatAge returns how long ago t was, in the largest unit.
func formatAge(t, now time.Time) string {
	if t.IsZero() {
		return "?"
	}
	d := now.Sub(t)
	switch {
	case d < time.Second:
		return "now"
	case d < time.Minute:
		return fmt.Sprintf("%d s ago", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", d/time.Hour)
	}

	return fmt.Sprintf("%d d ago", d/(24*time.Hour))
}

// pickRun returns the run that a person means: by its name, by the beginning of one, or as the
// last.
func pickRun(c *cli.Call, p *compiled.Program, store journal.Store, word string) (run string, err error) {
	ctx := context.Background()
	names, err := store.List(ctx, journal.Query{})
	if err != nil {
		return "", err
	}
	if slices.Contains(names, word) {
		return word, nil
	}
	if word == journal.NewestRun {
		all, err := readRuns(ctx, store, "", journal.Query{})
		switch {
		case err != nil:
			return "", err
		case len(all) == 0:
			return "", c.Usagef("there are no runs in %s", cells.Clean(storePlace(c, p)))
		}
		return all[0].ID, nil
	}
	var found []string
	for _, name := range names {
		if strings.HasPrefix(name, word) {
			found = append(found, name)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		const most = 5
		more := ""
		if len(found) > most {
			more = ", ..."
		}
		return "", c.Usagef("%q is the beginning of %d runs: %s%s", cells.Clean(word), len(found), strings.Join(found[:min(most, len(found))], ", "), more)
	}
	near := nearest.DidYouMean(word, append(names, journal.NewestRun))

	return "", c.Usagef("there is no run %q in %s%s", cells.Clean(word), cells.Clean(storePlace(c, p)), near)
}
