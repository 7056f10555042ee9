package command

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/lockfile"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// agentc does not link the SDK of MCP. A cached helper program asks the servers; it reads and
// writes JSON.

// question describes a server to client.AskAll.
type question struct {
	Name, URL string
	Command   []string
	Env       []string
	Headers   []ir.Header
	// Protocol and Tools are the pins to compare the server with. Without them the server is asked
	// for its tools.
	Protocol string
	Tools    []pinnedTool
}

// pinnedTool describes a tool to client.AskAll.
type pinnedTool struct {
	Remote string
	Hints  []string
	Spec   struct{ Name, Description, Input, Output string }
}

// pinnedTools returns the tools of a server that skills unlock, as they are pinned.
func pinnedTools(s *ir.Server) []pinnedTool {
	var tools []pinnedTool
	for _, t := range s.Tools {
		tool := pinnedTool{Remote: t.Remote, Hints: t.Hints}
		tool.Spec.Name, tool.Spec.Description, tool.Spec.Input = t.Name.Value, t.Description.Value, t.Input.JSON
		if t.Output != nil {
			tool.Spec.Output = t.Output.JSON
		}
		tools = append(tools, tool)
	}

	return tools
}

// serverAnswer is the answer of a server, as client.AskAll writes it.
type serverAnswer struct {
	lockfile.Server
	Problem string
}

// newPin returns the pin of a server.
func (a serverAnswer) newPin(server *ir.Server) (*lockfile.Server, error) {
	if a.Problem != "" {
		return nil, errors.New(a.Problem)
	}
	a.Command, a.URL, a.Tools = server.Command, server.URL, append([]lockfile.Tool{}, a.Tools...)
	if err := a.Seal(); err != nil {
		return nil, fmt.Errorf("MCP server %q: %w", server.Name.Value, err)
	}
	for i, t := range a.Tools {
		if i > 0 && a.Tools[i-1].Name == t.Name {
			return nil, fmt.Errorf("MCP server %q: it offers two tools called %q", server.Name.Value, t.Name)
		}
	}

	return &a.Server, nil
}

// newQuestions returns questions that ask servers for their tools.
func newQuestions(servers []*ir.Server) []question {
	questions := make([]question, len(servers))
	for i, s := range servers {
		questions[i] = question{Name: s.Name.Value, URL: s.URL, Command: s.Command, Env: s.Env, Headers: s.Headers}
	}

	return questions
}

// checkServers returns, for each server, why a run would refuse it. The servers are started or
// called, and compared with their pins.
func (p *project) checkServers(c *cli.Call, servers []*ir.Server, environ []string, within time.Duration) []error {
	questions := newQuestions(servers)
	for i, s := range servers {
		questions[i].Protocol, questions[i].Tools = s.Protocol, pinnedTools(s)
	}
	ctx, problems := context.Background(), make([]error, len(servers))
	var stderr strings.Builder
	var answers []serverAnswer
	binary, err := p.buildHelper(c, askerSource, names.ClientModule)
	if err == nil {
		answers, err = runAsker(ctx, binary, c.Dir, environ, questions, &stderr, within.String())
	}
	for i := range servers {
		switch {
		case err != nil:
			problems[i] = fmt.Errorf("it was not asked: %w %s", err, &stderr)
		case answers[i].Problem != "":
			problems[i] = errors.New(answers[i].Problem)
		}
	}

	return problems
}

// runAsker runs the program that asks servers in a folder, and returns the answers in the order of
// the questions.
func runAsker(ctx context.Context, binary, dir string, environ []string, questions []question, stderr io.Writer, args ...string) ([]serverAnswer, error) {
	text, err := json.Marshal(questions)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir, cmd.Env = dir, environ
	cmd.Stdin, cmd.Stderr = bytes.NewReader(text), stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var answers []serverAnswer
	if err := json.Unmarshal(out, &answers); err != nil || len(answers) != len(questions) {
		return nil, errors.Join(err, fmt.Errorf("%d answers of %d servers", len(answers), len(questions)))
	}

	return answers, nil
}

// askerSource is the source of the program that asks servers.
//
//go:embed programs/asker.go.txt
var askerSource string

// buildHelper builds a program that needs one module of agentc, and returns its path in the cache.
func (p *project) buildHelper(c *cli.Call, source, module string) (binary string, err error) {
	b, err := newBareBuild(findOrigin(), map[string][]byte{"main.go": []byte(source)}, []part{{module: module}})
	if err != nil {
		return "", err
	}

	return (&linking{c: c, p: p}).buildBinary(context.Background(), target{}, b)
}
