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

// pageWriter writes pages of a project's runs. The binary of each run provides the prompts.
type pageWriter struct {
	p *project
	c *cli.Call
}

// Part implements compiled.Part.
func (pageWriter) Part() string { return "page" }

// WritePage is called by package app.
func (w pageWriter) WritePage(out io.Writer, p *page.Page) error {
	for _, r := range p.Runs {
		turns, err := w.readTurns(r)
		if err != nil && r.Problem == "" { // the problem of a damaged journal was reported already
			w.c.Sayf("prompts are missing on the page: %v", err)
		}
		r.Turns = turns
	}

	return p.Write(out)
}

// readTurns runs the cached binary of a run to read its prompts.
func (w pageWriter) readTurns(r *page.Run) ([]page.Turn, error) {
	binary := cachedBinary(newAgentProgram(r.By))
	if binary == "" {
		return nil, errors.New("the binary of the run is not cached; agentc run builds one")
	}
	environ, err := w.p.binaryEnvironment(w.c, w.c.Flag("project"))
	if err != nil {
		return nil, err
	}
	args := []string{"runs", "--request", "--json"}
	if w.c.On("store") {
		args = append(args, "--store", w.c.Flag("store"))
	}
	cmd := exec.Command(binary, append(args, "--", "show", r.ID)...)
	cmd.Dir, cmd.Env = w.c.Dir, environ
	stdout, err := runCommandOutput(cmd)
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
