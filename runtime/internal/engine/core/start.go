package core

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sort"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/model"
)

// CheckAll is [Engine.Check] for all agents of p that can be started. It joins its errors; see
// [Problems].
func (e *Engine) CheckAll(ctx context.Context, p *compiled.Program) error {
	var agents []*compiled.Agent
	for i := range p.Agents {
		if p.Agents[i].Run != nil {
			agents = append(agents, &p.Agents[i])
		}
	}

	return e.checkAgents(ctx, p, agents...)
}

// Check finds what an agent and everything that it reaches lacks, as Run does before it spends
// anything. The agent "" is the entry point.
func (e *Engine) Check(ctx context.Context, p *compiled.Program, agent string) error {
	info, err := Startable(p, agent)
	if err != nil {
		return err
	}

	return e.checkAgents(ctx, p, info)
}

func (e *Engine) checkAgents(ctx context.Context, p *compiled.Program, agents ...*compiled.Agent) error {
	quiet := &Engine{config: e.config, script: e.script, err: e.err}
	quiet.config.Record = nil // nothing is asked of a model
	r, err := quiet.newRun(ctx, p, "")
	if err != nil {
		return err
	}
	defer r.closeTools()

	return r.checkReady(agents...)
}

// Warnings returns what the operator of a program should know about the built-in tools of its
// agents, each text once. Under a script there is nothing. What is missing is left to
// [Engine.Check].
func (e *Engine) Warnings(p *compiled.Program) (texts []string) {
	if p.Builtins == nil || e.script != nil {
		return nil
	}
	opened, err := p.Builtins(e.config.Env)
	set, canWarn := opened.(interface{ Warning(tool string) string })
	if err != nil || !canWarn {
		return nil
	}
	for _, agent := range p.Agents {
		for _, tool := range agent.Builtins {
			if text := set.Warning(tool); text != "" && !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}

	return texts
}

// Problems returns the errors that [Engine.Check] has joined, each once.
func Problems(err error) (all []error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range joined.Unwrap() {
			all = append(all, Problems(one)...)
		}
	} else if err != nil {
		all = append(all, err)
	}

	return all
}

// checkReady finds what agents and everything that they reach lack: models, providers, variables,
// tools. It opens every model and the tools, so that nothing is spent before all of them are ready,
// and reports all that is missing at once: servers of tools are started unless variables are
// missing, which they may need. Under a script nothing is required. If the run is cancelled while
// tools are made ready, the error is the cause.
func (r *run) checkReady(entries ...*compiled.Agent) error {
	if r.script != nil || r.engine.config.Replay != nil {
		return nil
	}
	reached := r.program.Reached(entries...)
	errs, real := r.checkModels(reached)
	if real || r.engine.config.Model != nil {
		if err := r.findPrices(); err != nil {
			errs = append(errs, err)
		} else {
			errs = append(errs, r.checkPrices(reached)...)
		}
		unset := r.checkEnv(reached)
		if unset != nil {
			errs = append(errs, unset)
		}
		if err := r.openTools(r.ctx, unset == nil); err != nil && r.stopped() != nil {
			return r.stopped()
		} else if err != nil {
			errs = append(errs, err)
		}
		errs = append(errs, r.checkTools(reached)...)
	}

	return r.redactError(errors.Join(errs...))
}

// checkModels opens the models of the agents and their steps. real reports whether one of them is
// not a script, or there is no model.
func (r *run) checkModels(agents []*compiled.Agent) (errs []error, real bool) {
	if r.engine.config.Model != nil {
		return nil, true
	}

	var wants missing
	scripts := 0
	for _, agent := range agents {
		for _, c := range agent.Conversations() {
			if c.Model == nil {
				continue
			}
			m, err := r.resolveModel(c.Model)
			isPlayed := err == nil && m.isPlayed()
			if err != nil {
				wants.add(c.Name, err)
				isPlayed = r.isScript(c.Model)
			}
			if isPlayed {
				scripts++
			} else {
				real = true
			}
		}
	}

	return wants.errors(), real || scripts == 0
}

// isScript reports whether a choice means a script or a recording.
func (r *run) isScript(choice *model.Choice) bool {
	m, err := Resolve(r.program, choice, r.engine.config.Env)

	return err == nil && isPlayed(m.Provider)
}

// missing joins equal errors of several agents.
type missing struct {
	errs   []error
	agents [][]string
}

// add adds the errors of an agent: several for a model with fallbacks.
func (m *missing) add(agent string, err error) {
	for _, one := range Problems(err) {
		at := slices.IndexFunc(m.errs, func(known error) bool { return known.Error() == one.Error() })
		if at < 0 {
			at = len(m.errs)
			m.errs, m.agents = append(m.errs, one), append(m.agents, nil)
		}
		m.agents[at] = append(m.agents[at], agent)
	}
}

// errors returns the errors, each with the names of its agents.
func (m *missing) errors() []error {
	for i, err := range m.errs {
		sort.Strings(m.agents[i])
		var provider *MissingProviderError
		if errors.As(err, &provider) {
			provider.Agents = m.agents[i]
		}
		var role *MissingModelError
		if errors.As(err, &role) {
			role.Agents = m.agents[i]
		}
		var key *model.CredentialError
		if errors.As(err, &key) {
			key.Agents = m.agents[i]
		}
		var price *MissingPriceError
		if errors.As(err, &price) {
			price.Agents = m.agents[i]
		}
	}

	return m.errs
}

func (r *run) checkEnv(agents []*compiled.Agent) error {
	wanted := map[string][]string{}
	for _, agent := range agents {
		for _, name := range agent.Env {
			if _, ok := r.engine.config.Env(name); !ok {
				wanted[name] = append(wanted[name], agent.Name)
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}

	e := &MissingEnvError{}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		sort.Strings(wanted[name])
		e.Vars = append(e.Vars, MissingVar{Name: name, Agents: wanted[name]})
	}

	return e
}

// checkTools finds built-in tools that agents may call and that cannot work, because the project
// has not turned them on or their requirements are missing. A tool that is off for several agents
// is one error.
func (r *run) checkTools(agents []*compiled.Agent) []error {
	if len(r.tools.runners) == 0 {
		return nil
	}
	set, checks := r.tools.runners[0].tools.(interface {
		Ready(agent, tool string) error
	})
	var wants missing
	known := map[string]bool{}
	for _, agent := range agents {
		for _, tool := range agent.Builtins {
			if checks && !known[tool] {
				known[tool] = true
				wants.add(agent.Name, set.Ready(agent.Name, tool))
			}
		}
	}

	return wants.errors()
}
