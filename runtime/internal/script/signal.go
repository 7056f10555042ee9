package script

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agentc-dev/agentc/runtime/signals"
)

// parseSignals reads what is under signal of a turn: one signal, or a list of them.
func parseSignals(raw json.RawMessage) ([]signals.Signal, error) {
	raws := []json.RawMessage{raw}
	if kindOf(raw) == '[' {
		if err := json.Unmarshal(raw, &raws); err != nil {
			return nil, err
		}
	}
	var signals []signals.Signal
	for _, one := range raws {
		signal, err := parseSignal(one)
		if err != nil {
			return nil, fmt.Errorf("signal: %w", err)
		}
		signals = append(signals, signal)
	}
	if len(signals) == 0 {
		return nil, errors.New("signal: expected at least one signal, found none")
	}

	return signals, nil
}

// parseSignal reads a kind, or {kind, value}.
func parseSignal(raw json.RawMessage) (signal signals.Signal, err error) {
	if kindOf(raw) == '"' {
		signal.Kind = unquote(raw)
	} else {
		members, err := fields(raw, "kind", "value")
		if err != nil {
			return signal, err
		}
		for _, m := range members {
			if kindOf(m.value) != '"' {
				return signal, errors.New(m.name + ": expected text, found " + describe(m.value))
			}
			if m.name == "kind" {
				signal.Kind = unquote(m.value)
			} else {
				signal.Value = unquote(m.value)
			}
		}
	}
	if signal.Kind == "" {
		return signal, errors.New("a signal needs a kind")
	}

	return signal, nil
}

// Signals sends the signals of the turn that an agent was given last in a branch, in their order; send reports whether anybody takes
// one. A signal that no one takes is a *runtime.ScriptError, and is the last that is sent.
func (p *Player) Signals(agent string, path Path, send func(signals.Signal) bool) error {
	at := entry{agent, path.text()}
	p.mu.Lock()
	given, ok := p.signalling[at]
	delete(p.signalling, at)
	p.mu.Unlock()
	if !ok {
		return nil
	}
	for _, signal := range given.list.items[given.at].signals {
		if !send(signal) {
			return given.list.where(given.at+1, fmt.Sprintf(
				"signal %q: no machine or gate around agent %q has a rule for it in its state", signal.Kind, agent)+inBranch(path))
		}
	}

	return nil
}

// given is a turn that an agent was given.
type given struct {
	list *list[turn]
	at   int
}
