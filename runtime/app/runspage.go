package app

import (
	"bytes"
	"context"
	"io"
	"os"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/cells"
	"github.com/agentc-dev/agentc/runtime/internal/trace"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/page"
)

// pagesPart is a compiled.Part that can render pages. A program without one is smaller.
type pagesPart interface {
	compiled.Part
	// WritePage writes a page as HTML.
	WritePage(w io.Writer, p *page.Page) error
}

// pageWriter is the part of a program that writes pages; nil if none does.
func pageWriter(p *compiled.Program) pagesPart {
	if p == nil {
		return nil
	}
	for _, part := range p.Parts {
		if w, ok := part.(pagesPart); ok {
			return w
		}
	}

	return nil
}

// showPage writes the page of a run, compared with another if one is named.
func showPage(c *cli.Call, p *compiled.Program, store journal.Store, run string) int {
	writer := pageWriter(p)
	if writer == nil {
		return c.Errorf(cli.Problem, "this binary writes no pages: agentc runs show RUN --html FILE does, and so does a binary with the part serve (include: [serve] in agentc.yaml)")
	}
	shown := &page.Page{}
	whole := cli.Done
	runs := []string{run}
	if c.On("compare") {
		other, code, ok := pickRun(c, p, store, c.Flag("compare"))
		if !ok {
			return code
		}
		runs = append(runs, other)
	}
	for _, run := range runs {
		r, code := pageRun(c, p, store, run)
		if r == nil {
			return code
		}
		whole = max(whole, code)
		shown.Runs = append(shown.Runs, r)
		shown.Title = joined(" and ", shown.Title, "run "+run)
	}
	var text bytes.Buffer
	if err := writer.WritePage(&text, shown); err != nil {
		return c.Errorf(cli.Failure, "%v", err)
	}
	var err error
	if c.Flag("html") == "-" {
		_, err = c.Stdout.Write(text.Bytes())
	} else { // what a run has said is for its owner, as journals are
		err = os.WriteFile(c.Path(c.Flag("html")), text.Bytes(), 0o600)
	}
	switch {
	case err != nil:
		return c.Errorf(cli.Failure, "%v", err)
	case c.Flag("html") == "-":
		return whole
	}

	return c.Errorf(whole, "wrote %s to %s", shown.Title, c.Flag("html"))
}

// pageRun reads a run for a page; nil if nothing of it can be read. The page shows the part of a damaged journal before
// the damage, and code is Problem, as without a page.
func pageRun(c *cli.Call, p *compiled.Program, store journal.Store, run string) (r *page.Run, code int) {
	j, damage := journal.Read(context.Background(), store, run)
	if j == nil {
		return nil, journalError(c, damage)
	}
	r, err := RunsCall{c, p}.Page(store, j)
	r.Text = drawTrace(&treeDrawer{}, p, trace.Of(j.Records), r.Status)
	if damage != nil {
		r.Status, r.Problem = damaged, damage.Error()+shownUpTo
		r.Text += "\n" + cells.Clean(r.Problem) + "\n"
		return r, c.Errorf(cli.Problem, "%s", r.Problem)
	}
	reportCut(c, j)
	if err != nil {
		c.Errorf(cli.Problem, "some prompts are missing on the page: %s", cells.Clean(err.Error()))
	}

	return r, cli.Done
}

// Page returns a run for a page, without its text. If the program is the one that executed it last, the page has its
// diagrams and the requests to models; otherwise the error says why they are missing.
func (r RunsCall) Page(store journal.Store, j *journal.Journal) (*page.Run, error) {
	p, t := r.Program, trace.Of(j.Records)
	status, err := statusOf(context.Background(), store, j.Run, t)
	run := &page.Run{ID: j.Run, By: ranBy(t), Records: j.Records, Status: status}
	if err != nil || p == nil || p.Name != t.Program || p.Shape != t.Shape {
		return run, err
	}
	run.Agents = p.Agents
	if text := p.TextHash(); text == t.Text && text != "" {
		run.Turns, err = turnsOf(p, store, j.Run)
	}

	return run, err
}
