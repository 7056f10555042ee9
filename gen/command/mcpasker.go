package command

import (
	"context"
	"encoding/json"
	"fmt"
	"go/format"

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

func questions(servers []*ir.Server) []question {
	var all []question
	for _, s := range servers {
		all = append(all, question{s.Name.Value, s.URL, s.Command, s.Env, s.Headers})
	}

	return all
}

// saidOfItself is what a server has said, as client.AskAll writes it.
type saidOfItself struct {
	Protocol, Called, Version string
	Tools                     []struct {
		Name, Description string
		Input, Output     json.RawMessage
		Hints             []string
	}
	Problem string
}

// server is what is pinned of a server.
func (s saidOfItself) server(of *ir.Server) (*lockfile.Server, error) {
	pinned := &lockfile.Server{
		Command: of.Command, URL: of.URL, Protocol: s.Protocol, Called: s.Called, Version: s.Version, Tools: []lockfile.Tool{},
	}
	for _, t := range s.Tools {
		pinned.Tools = append(pinned.Tools, lockfile.Tool{
			Name: t.Name, Description: t.Description, Input: t.Input, Output: t.Output, Hints: t.Hints,
		})
	}
	if err := pinned.Seal(); err != nil {
		return nil, err
	}
	for i, t := range pinned.Tools {
		if i > 0 && pinned.Tools[i-1].Name == t.Name {
			return nil, fmt.Errorf("it offers two tools called %q", t.Name)
		}
	}

	return pinned, nil
}

// asker returns the program that asks servers.
func (l *linking) asker(ctx context.Context) (binary string, err error) {
	from := findOrigin(ctx)
	require, err := from.requirement("./" + ownCopy)
	if err != nil {
		return "", err
	}
	main, err := format.Source([]byte(fmt.Sprintf(`package main

import (
	"context"
	"fmt"
	"os"

	%q
)

func main() {
	if err := client.AskAll(context.Background(), os.Stdin, os.Stdout, os.LookupEnv); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
`, names.ClientPath)))
	if err != nil {
		return "", err
	}
	m := module{"go.mod": []byte("module asker\n\n" + goLine + "\n" + require), "main.go": main}
	if err := m.requireParts([]part{{module: names.ClientModule}}, from); err != nil {
		return "", err
	}

	return l.buildCached(ctx, m, from, target{})
}
