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

// agentc does not link the SDK of MCP: a program in the cache does that asks the servers, and reads
// and writes JSON.

// question is a server as client.AskAll reads it.
type question struct {
	Name, URL string
	Command   []string
	Env       []string
	Headers   []ir.Header
	// Protocol and Tools are the pins that the server is compared with; without them it is asked
	// for what it has.
	Protocol string
	Tools    []pinnedTool
}

// pinnedTool is a tool as client.AskAll reads it.
type pinnedTool struct {
	Remote string
	Hints  []string
	Spec   struct{ Name, Description, Input, Output string }
}

// pinnedTools are the tools of a server that skills unlock, as they are pinned.
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

// serverAnswer is what a server has answered, as client.AskAll writes it.
type serverAnswer struct {
	lockfile.Server
	Problem string
}

// pin is what is pinned of a server.
func (a serverAnswer) pin(of *ir.Server) (*lockfile.Server, error) {
	if a.Problem != "" {
		return nil, errors.New(a.Problem)
	}
	a.Command, a.URL, a.Tools = of.Command, of.URL, append([]lockfile.Tool{}, a.Tools...)
	if err := a.Seal(); err != nil {
		return nil, fmt.Errorf("MCP server %q: %w", of.Name.Value, err)
	}
	for i, t := range a.Tools {
		if i > 0 && a.Tools[i-1].Name == t.Name {
			return nil, fmt.Errorf("MCP server %q: it offers two tools called %q", of.Name.Value, t.Name)
		}
	}

	return &a.Server, nil
}

// questionsTo are the questions to servers: what they have.
func questionsTo(servers []*ir.Server) []question {
	questions := make([]question, len(servers))
	for i, s := range servers {
		questions[i] = question{Name: s.Name.Value, URL: s.URL, Command: s.Command, Env: s.Env, Headers: s.Headers}
	}

	return questions
}

// refusals returns why a run would refuse each server: it is started or called, and compared with
// its pins.
func (p *project) refusals(c *cli.Call, servers []*ir.Server, environ []string, within time.Duration) []error {
	questions := questionsTo(servers)
	for i, s := range servers {
		questions[i].Protocol, questions[i].Tools = s.Protocol, pinnedTools(s)
	}
	ctx, problems := context.Background(), make([]error, len(servers))
	var stderr strings.Builder
	var answers []serverAnswer
	binary, err := p.helper(c, askerSource, names.ClientModule)
	if err == nil {
		answers, err = ask(ctx, binary, c.Dir, environ, questions, &stderr, within.String())
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

// ask runs the program that asks servers in a folder, and returns what they answer, in their order.
func ask(ctx context.Context, binary, dir string, environ []string, questions []question, stderr io.Writer, args ...string) ([]serverAnswer, error) {
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

// askerSource is the program that asks servers.
//
//go:embed programs/asker.go.txt
var askerSource string

// helper returns a program in the cache, which has its source and a module of agentc's.
func (p *project) helper(c *cli.Call, source, module string) (binary string, err error) {
	b, err := bareBuild(findOrigin(), map[string][]byte{"main.go": []byte(source)}, []part{{module: module}})
	if err != nil {
		return "", err
	}

	return (&linking{c: c, p: p}).build(context.Background(), target{}, b)
}
