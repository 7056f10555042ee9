package core

import (
	"fmt"
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/script"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
	"github.com/agentc-dev/agentc/runtime/internal/stores/recording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// scriptProvider is the provider whose models are compiled-in scripts.
const scriptProvider = "script"

// openModel is a resolved model that is ready to answer: by its provider, or by a player.
type openModel struct {
	// choice is nil where one thing answers for every agent.
	choice   *model.Choice
	provider model.Provider
	player   *script.Player
	replay   *recording.Player
	// promise is the promise of the provider to return when a call is cancelled; nil if it makes
	// none.
	promise *usercode.Promise
	// source is the name of the provider; "" of Config.Model.
	source string
	// plain reports whether replies are requested in one piece.
	plain bool
	// next is called when this model has failed permanently; nil without a fallback.
	next *openModel
}

// isPlayed reports whether a script or a recording answers.
func (m *openModel) isPlayed() bool { return m != nil && (m.player != nil || m.replay != nil) }

// resolveModel resolves a choice, once per run. If a model or its fallbacks cannot be opened, the
// errors of all are joined.
func (r *run) resolveModel(choice *model.Choice) (*openModel, error) {
	r.mu.Lock()
	defer r.mu.Unlock()

	if m := r.models[*choice]; m != nil {
		return m, nil
	}
	m, err := r.openModels(choice)
	if err != nil {
		return nil, err
	}
	if r.models == nil {
		r.models = map[model.Choice]*openModel{}
	}
	r.models[*choice] = m

	return m, nil
}

// openModels opens a model and its fallbacks. All of them are for the same role, whatever keys and
// addresses they have.
func (r *run) openModels(choice *model.Choice) (first *openModel, err error) {
	if r.engine.config.Replay != nil {
		return r.everyReplay(choice), nil
	}
	resolved, err := Resolve(r.program, choice, r.engine.config.Env)
	if err != nil {
		return nil, err
	}
	var last *openModel
	for _, each := range append([]model.Model{resolved}, resolved.Fallback...) {
		m := &openModel{source: each.Provider, plain: each.Plain, choice: each.Choice(resolved.Role)}
		var problem error
		switch {
		case isPlayed(each.Provider):
			m.player, m.replay, problem = r.openFile(each)
		case r.host == nil:
			m.provider, problem = r.openProvider(each)
			m.promise = r.engine.promises.Of(usercode.Name{Kind: "the provider", Name: each.Provider}, m.provider)
		}
		err = joinErrors(err, problem)
		if last == nil {
			first = m
		} else {
			last.next = m
		}
		last = m
	}

	return first, err
}

// openProvider opens a model of a provider, once per run.
func (r *run) openProvider(m model.Model) (model.Provider, error) {
	at := opening{m.Role, m.Name, m.BaseURL}
	if p := r.opened[at]; p != nil {
		return p, nil
	}
	openers := r.openers()
	opener := openers[m.Provider]
	if opener == nil {
		known := slices.AppendSeq([]string{scriptProvider, recording.Provider}, maps.Keys(openers))
		slices.Sort(known)

		return nil, &MissingProviderError{Provider: m.Provider, Known: slices.Compact(known)}
	}
	var p model.Provider
	err := usercode.Catch("the provider "+m.Provider, func() (err error) {
		p, err = opener(m, r.lookUpEnv)

		return err
	})
	if err != nil {
		return nil, err
	}
	if r.opened == nil {
		r.opened = map[opening]model.Provider{}
	}
	r.opened[at] = p

	return p, nil
}

// openFile returns the player of a script or a recording. Roles that name the same file share it.
func (r *run) openFile(m model.Model) (player *script.Player, replay *recording.Player, err error) {
	for _, f := range r.files {
		if f.name == m.Name {
			return f.player, f.replay, nil
		}
	}
	if m.Provider == scriptProvider {
		player, err = r.openScript(m)
	} else {
		replay, err = r.openRecording(m)
	}
	if err == nil {
		r.files = append(r.files, file{m.Name, player, replay})
	}

	return player, replay, err
}

// openScript returns the player of a compiled-in script.
func (r *run) openScript(m model.Model) (*script.Player, error) {
	source, ok := "", false
	if r.program != nil {
		source, ok = r.program.Scripts[m.ID]
	}
	if !ok {
		return nil, &runtime.BadSettingError{Name: "model", Value: m.Name, Problem: "names a script that is not compiled in"}
	}
	parsed, err := script.Parse(source)
	if err == nil {
		err = parsed.Check(r.program)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}

	return parsed.Play(), nil
}
