package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/lockfile"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// agentc does not link the SDK of MCP: a program in the cache does that asks the servers, and reads and writes JSON.

// question is a server as client.AskAll reads it.
type question struct {
	Name, URL string
	Command   []string
	Env       []string
	Headers   []ir.Header
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

// ask runs the program that asks servers in a folder, and returns what they answer, in their order.
func ask(ctx context.Context, binary, dir string, environ []string, servers []*ir.Server, stderr io.Writer) ([]serverAnswer, error) {
	var questions []question
	for _, s := range servers {
		questions = append(questions, question{s.Name.Value, s.URL, s.Command, s.Env, s.Headers})
	}
	text, err := json.Marshal(questions)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, binary)
	cmd.Dir, cmd.Env = dir, environ
	cmd.Stdin, cmd.Stderr = bytes.NewReader(text), stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var answers []serverAnswer
	if err := json.Unmarshal(out, &answers); err != nil || len(answers) != len(servers) {
		return nil, errors.Join(err, fmt.Errorf("%d answers of %d servers", len(answers), len(servers)))
	}

	return answers, nil
}

// askerSource is the program that asks servers.
const askerSource = `package main

import (
	"context"
	"fmt"
	"os"

	"` + names.ClientPath + `"
)

func main() {
	if err := client.AskAll(context.Background(), os.Stdin, os.Stdout, os.LookupEnv); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
`

// asker returns the program that asks servers.
func (l *linking) asker(ctx context.Context) (binary string, err error) {
	b, err := bareBuild(findOrigin(), map[string][]byte{"main.go": []byte(askerSource)}, []part{{module: names.ClientModule}})
	if err != nil {
		return "", err
	}

	return l.build(ctx, target{}, b)
}
