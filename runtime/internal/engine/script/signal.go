package script

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agentc-dev/agentc/runtime/signals"
)

// parseSignals reads what is under signal of a turn: one signal, or a list of them.
func parseSignals(raw json.RawMessage) ([]signals.Signal, error) {
	var signals []signals.Signal
	err := readEach("signal", raw, func(_ int, one json.RawMessage) error {
		signal, err := parseSignal(one)
		if err != nil {
			return fmt.Errorf("signal: %w", err)
		}
		signals = append(signals, signal)

		return nil
	})

	return signals, err
}

// parseSignal reads a kind, or {kind, value}.
func parseSignal(raw json.RawMessage) (signal signals.Signal, err error) {
	if raw[0] == '"' {
		signal.Kind = unquoteText(raw)
	} else {
		_, err = readFields(raw, func(m member) error {
			into := &signal.Kind
			if m.Name == "value" {
				into = &signal.Value
			}
			var err error
			*into, err = textIn(m.Value)
			if err != nil {
				return fmt.Errorf("%s: %w", m.Name, err)
			}

			return nil
		}, "kind", "value")
	}
	if err == nil && signal.Kind == "" {
		err = errors.New("a signal needs a kind")
	}

	return signal, err
}

// Signals sends the signals of the turn that an agent was given last in a branch, in their order;
// send reports whether anybody takes one. A signal that no one takes is a *runtime.ScriptError, and
// is the last that is sent.
func (p *Player) Signals(agent string, path Path, send func(signals.Signal) bool) error {
	at := entry{agent, path.key()}
	p.mu.Lock()
	given, ok := p.signalling[at]
	delete(p.signalling, at)
	p.mu.Unlock()
	if !ok {
		return nil
	}
	for _, signal := range given.list.items[given.at].signals {
		if !send(signal) {
			return given.list.errorAt(given.at+1, fmt.Sprintf(
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
