package preflight

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Need is something that a run needs.
type Need struct {
	// Kind is model, provider, key, variable, tool, host, folder, server or method; Name is that of the thing.
	Kind string `json:"kind"`
	Name string `json:"name"`
	// For are the agents or skills that need it, sorted.
	For []string `json:"for"`
	// From says where it comes from, if it is there.
	From string `json:"from,omitempty"`
	// Missing says what is missing; "" if nothing is.
	Missing string `json:"missing,omitempty"`
	// Add is the line that adds it: to agentc.yaml with Config, else to the environment.
	Add    string `json:"add,omitempty"`
	Config bool   `json:"config,omitempty"`
}

// Machine is where the program is to run.
type Machine struct {
	// Env looks a variable up.
	Env func(name string) (string, bool)
	// Writable reports why a folder, relative to the project, cannot be written; it may still have to be made.
	Writable func(folder string) error
	// Command reports why a command cannot be started.
	Command func(name string) error
}

// set reports whether a variable has a value.
func (m Machine) set(name string) bool {
	value, ok := m.Env(name)

	return ok && strings.TrimSpace(value) != ""
}

// Of returns what runs that begin with some agents need.
func Of(p *ir.Program, entries []*ir.Agent, m Machine) []Need {
	l := &list{program: p, machine: m}
	skills := map[*ir.Skill]bool{}
	for _, a := range ir.Reached(entries...) {
		name := a.Name.Value
		for _, step := range a.Conversations() {
			l.model(step.Label(name), step.Call)
			for _, use := range step.Skills() {
				if use.Skill != nil && !skills[use.Skill] {
					skills[use.Skill] = true
					l.skill(use.Skill)
				}
			}
		}
		for _, variable := range a.Env {
			l.variable(name, variable.Value)
		}
	}
	for _, name := range p.Vars() {
		if strings.Contains(p.Store.Value, "${"+name+"}") {
			l.variable("the store", name)
		}
	}
	if name := "TAMA_ENTRYPOINT_AGENT"; m.set(name) {
		l.add(Need{Kind: "variable", Name: name, Missing: "it is set, and not read: choose the agent with --agent"}, "the entry point")
	}
	slices.SortStableFunc(l.needs, func(a, b Need) int { return cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)) })

	return l.needs
}

var kinds = []string{"model", "provider", "key", "variable", "tool", "host", "folder", "server", "method"}

// Missing returns the needs of which something is missing.
func Missing(needs []Need) []Need {
	return slices.DeleteFunc(slices.Clone(needs), func(n Need) bool { return n.Missing == "" })
}

type list struct {
	program *ir.Program
	machine Machine
	needs   []Need
}

// add keeps a need; the same one of another agent counts as one.
func (l *list) add(n Need, by string) {
	i := slices.IndexFunc(l.needs, func(known Need) bool { return known.Kind == n.Kind && known.Name == n.Name })
	if i < 0 {
		i = len(l.needs)
		l.needs = append(l.needs, n)
	}
	if all := &l.needs[i].For; !slices.Contains(*all, by) {
		*all = append(*all, by)
		slices.Sort(*all)
	}
}

func (l *list) variable(by, name string) {
	n := Need{Kind: "variable", Name: name, From: "the environment"}
	if !l.machine.set(name) {
		n.From, n.Missing, n.Add = "", "it is not set", "export "+name+"=..."
	}
	l.add(n, by)
}

// skill adds what a skill needs: its variables, its tools, and what these reach.
func (l *list) skill(s *ir.Skill) {
	by := "skill " + s.Name.Value
	for _, name := range s.Env {
		l.variable(by, name.Value)
	}
	for _, name := range s.Vars() {
		l.variable(by, name)
	}
	for _, tool := range s.Tools {
		switch {
		case tool.Builtin != "":
			l.tool(by, tool.Builtin, hostsIn(s.Body.Value))
		case tool.Tool != nil && tool.Tool.Server != nil:
			l.server(by, tool.Tool.Server)
		case tool.Tool != nil:
			l.add(Need{Kind: "method", Name: tool.Value, From: "the Go of the project"}, by)
		}
	}
}

// tool adds a built-in tool, which the config turns on, and what it reaches.
func (l *list) tool(by, name string, hosts []string) {
	reach := l.program.Reach
	n := Need{Kind: "tool", Name: name, From: "agentc.yaml", Config: true}
	line, on := reach.On(name)
	switch {
	case line == "":
		n.From, n.Config = "agentc", false
	case !on:
		if strings.HasPrefix(name, "http_") && len(hosts) > 0 {
			line = "http: {allow: [" + strings.Join(hosts, ", ") + "]}"
		}
		n.From, n.Missing, n.Add = "", "the project has not turned it on", line
	case name == "bash":
		if err := l.machine.Command("sh"); err != nil {
			n.From, n.Missing, n.Config = "", "there is no shell here: "+err.Error(), false
		}
	}
	l.add(n, by)
	switch {
	case strings.HasPrefix(name, "http_") && on:
		for _, host := range hosts {
			l.host(by, host)
		}
	case name == "bash" && reach.Root.Value == "":
		line, _ := reach.On("files_write")
		l.add(Need{Kind: "folder", Name: "files.root", Missing: "commands have no folder to run in", Add: line, Config: true}, by)
	case name == "bash" || strings.HasPrefix(name, "files_"):
		l.folder(by)
	}
}

// host adds a host that a skill names.
func (l *list) host(by, host string) {
	n := Need{Kind: "host", Name: host, From: "http.allow"}
	allowed := func(entry ir.Text) bool { return allows(entry.Value, host) }
	if !slices.ContainsFunc(l.program.Reach.Hosts, allowed) {
		n.From, n.Missing = "", "http.allow does not have it"
		n.Add = fmt.Sprintf("%s in http.allow of agentc.yaml", host)
	}
	l.add(n, by)
}

// server adds a server of the Model Context Protocol. It is not started.
func (l *list) server(by string, s *ir.Server) {
	n := Need{Kind: "server", Name: s.Name.Value, From: "agentc.lock"}
	switch {
	case s.Protocol == "":
		n.From, n.Missing, n.Add = "", "its tools are not pinned", "agentc mcp pin"
	case len(s.Command) > 0:
		if err := l.machine.Command(s.Command[0]); err != nil {
			n.From, n.Missing = "", "its command cannot be started: "+err.Error()
		}
	}
	l.add(n, by)
	for _, name := range s.Env {
		l.variable("server "+s.Name.Value, name)
	}
}

// folder adds the folder of the file tools.
func (l *list) folder(by string) {
	root := l.program.Reach.Root.Value
	if root == "" {
		return
	}
	n := Need{Kind: "folder", Name: root, From: "files.root"}
	if err := l.machine.Writable(root); err != nil {
		n.From, n.Missing = "", "it "+err.Error()
	}
	l.add(n, by)
}

// model adds what a conversation asks, and the key of its provider.
func (l *list) model(by string, call ir.Call) {
	name, from := l.resolve(call)
	if name == "" {
		role := cmp.Or(call.Role.Value, "default")
		n := Need{Kind: "model", Name: "role " + role, Missing: "no model is configured for it"}
		n.Add, n.Config = l.addModel(role)
		l.add(n, by)
		return
	}
	l.add(Need{Kind: "model", Name: name, From: from}, by)
	provider, _, _ := strings.Cut(name, ":")
	known, keys := builtin.ProviderKeys(provider)
	if known && !ir.Answered(name) && !slices.Contains(l.program.ProviderNames(), provider) {
		l.add(Need{
			Kind: "provider", Name: provider, Missing: from + " names it, and a binary has only those that the project names",
			Add: "providers: {" + provider + ": {}}", Config: true,
		}, by)
	}
	if ir.Answered(name) || !known || len(keys) == 0 || l.addressed(call, provider) {
		return
	}
	upper := variableName(provider)
	all := slices.Concat([]string{"AGENTC_PROVIDER_" + upper + "_API_KEY", "TAMA_PROVIDER_" + upper + "_API_KEY"}, keys)
	if role := call.Role.Value; role != "" && call.Name.Value == "" {
		all = append([]string{"AGENTC_MODEL_" + variableName(role) + "_API_KEY", "TAMA_MODEL_" + variableName(role) + "_API_KEY"}, all...)
	}
	n := Need{Kind: "key", Name: provider}
	if i := slices.IndexFunc(all, l.machine.set); i >= 0 {
		n.From = all[i]
	} else {
		n.Missing, n.Add = "no variable has it", "export "+keys[0]+"=..."
	}
	l.add(n, by)
}

// addressed reports whether a provider has an address of its own, which may need no key.
func (l *list) addressed(call ir.Call, provider string) bool {
	for _, p := range l.program.Providers {
		if p.Name.Value == provider && p.BaseURL != "" {
			return true
		}
	}
	for _, m := range l.program.Models {
		if m.Role.Value == call.Role.Value && m.BaseURL != "" {
			return true
		}
	}
	_, from := l.environment("PROVIDER", provider, "_BASE_URL")

	return from != "" || l.machine.set(variableName(provider)+"_BASE_URL")
}

// resolve returns the model of a conversation and where it is named, as engines do: the agent's own, else that of its role, else of
// the role default; the environment counts more than the config.
func (l *list) resolve(call ir.Call) (name, from string) {
	if call.Name.Value != "" {
		return call.Name.Value, "the agent itself"
	}
	for _, role := range []string{cmp.Or(call.Role.Value, "default"), "default"} {
		if name, from = l.environment("MODEL", role, "_NAME"); name == "" {
			name, from = l.environment("MODEL", role, "")
		}
		if name != "" {
			return name, from
		}
		for _, m := range l.program.Models {
			if m.Role.Value == role {
				return m.Name.Value, "models." + role
			}
		}
	}

	return "", ""
}

// environment returns what a variable of a role or a provider says, by its name or its older one.
func (l *list) environment(kind, name, field string) (value, from string) {
	for _, prefix := range []string{"AGENTC_", "TAMA_"} {
		variable := prefix + kind + "_" + variableName(name) + field
		if l.machine.set(variable) {
			value, _ = l.machine.Env(variable)
			return value, variable
		}
	}

	return "", ""
}

// variableName is a name as a part of a variable's.
func variableName(name string) string { return strings.ToUpper(strings.ReplaceAll(name, "-", "_")) }
