package app

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"os"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/inspect/page"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/internal/servers/wire"
	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// pagesPart is a compiled.Part that can render pages. A program without one is smaller.
type pagesPart interface {
	compiled.Part
	// WritePage writes a page as HTML.
	WritePage(w io.Writer, p *page.Page) error
}

// showPage writes the page of a run, compared with another if one is named.
func showPage(c *cli.Call, p *compiled.Program, store journal.Store, run string) error {
	writers := core.PartsOf[pagesPart](p)
	if len(writers) == 0 {
		return c.Errorf(cli.Problem, "this binary writes no pages: agentc runs show RUN --html FILE does, and so does a binary with the part page (include: [page] in agentc.yaml)")
	}
	runs := []string{run}
	if c.On("compare") {
		other, err := pickRun(c, p, store, c.Flag("compare"))
		if err != nil {
			return err
		}
		runs = append(runs, other)
	}
	shown, code := &page.Page{}, cli.Done
	for _, run := range runs {
		r, err := pageRun(c, p, store, run)
		if err != nil {
			return err
		}
		if r.Problem != "" {
			code = cli.Problem
		}
		shown.Runs = append(shown.Runs, r)
		shown.Title = joinNonEmpty(" and ", shown.Title, "run "+run)
	}
	var text bytes.Buffer
	if err := writers[0].WritePage(&text, shown); err != nil {
		return err
	}
	if c.Flag("html") == "-" {
		_, err := c.Stdout.Write(text.Bytes())
		return cmp.Or(err, c.Exit(code))
	}
	// What a run has said is for its owner, as journals are.
	if err := os.WriteFile(c.Path(c.Flag("html")), text.Bytes(), 0o600); err != nil {
		return err
	}
	c.Sayf("wrote %s to %s", shown.Title, c.Flag("html"))

	return c.Exit(code)
}

// pageRun reads a run for a page. The page shows the part of a damaged journal before the damage,
// which is reported.
func pageRun(c *cli.Call, p *compiled.Program, store journal.Store, run string) (*page.Run, error) {
	j, damage := journal.Read(context.Background(), store, run)
	if j == nil {
		return nil, journalError(c, damage)
	}
	r, err := RunsCall{c, p}.Page(store, j)
	r.Text = drawTrace(&treeDrawer{}, p, trace.Of(j.Records), client.Status(r.Status))
	if damage != nil {
		r.Status, r.Problem = string(client.Damaged), damage.Error()+shownUpTo
		r.Text += "\n" + cells.Clean(r.Problem) + "\n"
		c.Sayf("%s", r.Problem)
		return r, nil
	}
	reportCut(c, j)
	if err != nil {
		c.Sayf("some prompts are missing on the page: %s", cells.Clean(err.Error()))
	}

	return r, nil
}

// Page returns a run for a page, without its text. If the program is the one that executed it last,
// the page has its diagrams and the requests to models; otherwise the error is the reason why they
// are missing.
func (r RunsCall) Page(store journal.Store, j *journal.Journal) (*page.Run, error) {
	p, t := r.Program, trace.Of(j.Records)
	status, err := statusOf(context.Background(), store, j.Run, t)
	run := &page.Run{ID: j.Run, By: ranBy(t), Records: j.Records, Status: string(status)}
	if p != nil {
		of := wire.RunOf(j.Run, t, status)
		wire.MarkStranded(of, p.Name, p.Shape)
		run.Stranded = of.Stranded
	}
	if err != nil || p == nil || p.Name != t.Program || p.Shape != t.Shape {
		return run, err
	}
	run.Agents = p.Agents
	if text := p.TextHash(); text == t.Text && text != "" {
		run.Turns, err = turnsOf(p, store, j.Run)
	}

	return run, err
}
