package command

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/inspect/page"
)

// pageWriter writes pages of a project's runs. What models were asked it has from the binary that
// the run was made with.
type pageWriter struct {
	p *project
	c *cli.Call
}

// Part implements compiled.Part.
func (pageWriter) Part() string { return "page" }

// WritePage implements what package app asks for.
func (w pageWriter) WritePage(out io.Writer, p *page.Page) error {
	for _, r := range p.Runs {
		turns, err := w.turns(r)
		if err != nil && r.Problem == "" { // the problem of a damaged journal is reported already
			w.c.Sayf("prompts are missing on the page: %v", err)
		}
		r.Turns = turns
	}

	return p.Write(out)
}

// turns has the binary of a run print what models were asked; nil if it is not in the cache.
func (w pageWriter) turns(r *page.Run) ([]page.Turn, error) {
	binary := builtFor(agentProgramOf(r.By))
	if binary == "" {
		return nil, errors.New("there is no cached binary of the program of the run; agentc run builds one")
	}
	environ, err := w.p.environment(w.c, w.c.Flag("project"))
	if err != nil {
		return nil, err
	}
	args := []string{"runs", "--request", "--json"}
	if w.c.On("store") {
		args = append(args, "--store", w.c.Flag("store"))
	}
	cmd := exec.Command(binary, append(args, "--", "show", r.ID)...)
	cmd.Dir, cmd.Env = w.c.Dir, environ
	stdout, err := printedBy(cmd)
	if err != nil {
		return nil, err
	}
	turns := []page.Turn{}
	for lines := json.NewDecoder(strings.NewReader(stdout)); ; {
		var turn page.Turn
		switch err := lines.Decode(&turn); {
		case errors.Is(err, io.EOF):
			return turns, nil
		case err != nil:
			return turns, err
		}
		turns = append(turns, turn)
	}
}
