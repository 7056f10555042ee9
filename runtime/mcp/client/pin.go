package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// pinned is what a server says of itself and of its tools.
type pinned struct {
	// Name is what the project calls it.
	Name string `json:"name"`
	// Protocol is the version of the protocol that it speaks.
	Protocol string `json:"protocol,omitempty"`
	// Called is what it calls itself, and Version its version, if it says so.
	Called  string        `json:"called,omitempty"`
	Version string        `json:"version,omitempty"`
	Tools   []offeredTool `json:"tools,omitempty"`
	// Problem is the reason why nothing is known; "" if all is well.
	Problem string `json:"problem,omitempty"`
}

// askServer starts or calls a server, returns its description, and stops it. A server with tools is compared with them. Errors: StartError,
// AuthError, DriftError.
func askServer(ctx context.Context, s Server, env func(string) (string, bool)) (pinned, error) {
	asked := newSession(s, env, s.readVariables(env))
	defer asked.closeLink()
	for _, name := range s.variableNames() {
		if value, ok := env(name); !ok || value == "" {
			return pinned{}, asked.unusableError(nil, fmt.Errorf("the variable %s is not set", name))
		}
	}
	within, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	l, err := asked.currentLink(within)
	if errors.Is(err, context.DeadlineExceeded) {
		err = asked.unusableError(nil, context.DeadlineExceeded)
	}
	if err != nil {
		return pinned{}, err
	}
	offered, err := offeredBy(within, l.session)
	if err != nil {
		return pinned{}, asked.unusableError(l, err)
	}
	is := l.session.InitializeResult()
	pin := pinned{Name: s.Name, Protocol: is.ProtocolVersion, Tools: offered}
	if is.ServerInfo != nil {
		pin.Called, pin.Version = is.ServerInfo.Name, is.ServerInfo.Version
	}

	return pin, nil
}

// AskAll is the program that agentc mcp pin runs, because agentc itself does not contain this package: it reads a
// JSON list of servers, asks all of them at the same time, and writes a JSON list of their descriptions.
func AskAll(ctx context.Context, in io.Reader, out io.Writer, env func(string) (string, bool)) error {
	var servers []Server
	if err := json.NewDecoder(in).Decode(&servers); err != nil {
		return err
	}
	pins := make([]pinned, len(servers))
	var wait sync.WaitGroup
	for i, s := range servers {
		wait.Go(func() {
			pin, err := askServer(ctx, s, env)
			if err != nil {
				pin = pinned{Name: s.Name, Problem: err.Error()}
			}
			pins[i] = pin
		})
	}
	wait.Wait()
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)

	return e.Encode(pins)
}
