package can

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// Entry is what runs of an entry point can do.
type Entry struct {
	Name string `json:"entry_point"`
	// Agents are all that it leads to, sorted, and Tools the calls that are reached.
	Agents []string `json:"agents"`
	Tools  []Use    `json:"tools"`
	// Files is the folder of the file tools, Hosts those of the http tools, and Commands what is started: "any" with bash, and servers of
	// tools. Each is empty where no run reaches such a tool.
	Files    string   `json:"files,omitempty"`
	Hosts    []string `json:"hosts,omitempty"`
	Commands []string `json:"commands,omitempty"`
	// Variables are those of the environment whose values agents, skills and servers get.
	Variables []string `json:"variables,omitempty"`
	// Access are the rules that say who may drive a machine: "allow courier: pick-up".
	Access []string `json:"access,omitempty"`
}

// Use is a tool that a conversation or a step can call.
type Use struct {
	Agent string `json:"agent"`
	Tool  string `json:"tool"`
	// Effect is what the tool does: read, write, external, or unknown for a function.
	Effect string `json:"effect"`
	// Skill unlocks it; "" for a step. Confirm says that a person is asked before each call.
	Skill   string `json:"skill,omitempty"`
	Confirm bool   `json:"confirm,omitempty"`
	// Behind are the people and the guards without which no run gets there, and Gate the calls that come before it at least.
	Behind []string `json:"behind,omitempty"`
	Gate   []string `json:"gate,omitempty"`
}

// Of returns what runs of some entry points can do.
func Of(p *ir.Program, facts *flow.Program, entries []*ir.Agent) []Entry {
	return ir.Map(entries, func(a *ir.Agent) Entry {
		e := Entry{Name: a.Name.Value, Tools: usesOf(facts, a), Access: accessOf(a)}
		e.reach(p, ir.ReachableFrom(a))
		return e
	})
}

// usesOf returns the tools that runs call, and what they get past on the way.
func usesOf(facts *flow.Program, a *ir.Agent) []Use {
	whole := reachable(facts, a, "")
	without := map[string]*result{}
	uses := []Use{}
	for _, of := range slices.SortedFunc(maps.Keys(whole.calls), compareUses) {
		c := whole.calls[of]
		u := Use{Agent: c.agent, Tool: c.use.tool, Effect: c.tool.effect, Skill: c.tool.skill, Confirm: c.tool.confirm}
		steps := c.t.steps()
		for _, s := range steps {
			name := s.when
			if s.Do == "ask" {
				name = personName(s.Agent)
			}
			if name == "" || slices.Contains(u.Behind, name) {
				continue
			}
			if without[name] == nil {
				without[name] = reachable(facts, a, name)
			}
			if without[name].calls[of] == nil {
				u.Behind = append(u.Behind, name)
			}
		}
		calls := steps[len(steps)-1].Calls
		u.Gate = ir.Map(calls[:len(calls)-1], func(before Call) string { return before.Tool })
		uses = append(uses, u)
	}

	return uses
}

// reachable returns the calls of a run where a person, or a guard, lets nothing pass.
func reachable(facts *flow.Program, a *ir.Agent, blocked string) *result {
	x := newAnalysis(facts)
	x.all, x.blocked = true, blocked

	return x.entry(a, nil)
}

// reach notes what the tools of some agents reach.
func (e *Entry) reach(p *ir.Program, agents []*ir.Agent) {
	called := ir.SetOf(ir.Map(e.Tools, func(use Use) string { return use.Tool }))
	reached := &ir.Program{Agents: agents}
	for _, a := range agents {
		e.Agents = append(e.Agents, a.Name.Value)
		for _, use := range a.SkillRefs() {
			reached.Skills = append(reached.Skills, use.Skill)
			e.servers(use.Skill, called)
		}
	}
	e.Variables = append(e.Variables, reached.EnvVars()...)
	e.builtins(p.Reach, called)
	for _, list := range []*[]string{&e.Agents, &e.Variables, &e.Commands, &e.Hosts} {
		*list = ir.Sorted(*list)
	}
}

// builtins notes what the built-in tools that are called reach.
func (e *Entry) builtins(reach ir.Reach, called map[string]bool) {
	root := cmp.Or(reach.Root.Value, "none: files.root is not set")
	for _, name := range rt.Builtins() {
		if !called[name] {
			continue
		}
		flow := rt.BuiltinFlow(name)
		if flow.Root {
			e.Files = root
		}
		if flow.Hosts {
			e.Hosts = append(e.Hosts, ir.Values(reach.Hosts)...)
		}
		if flow.Commands {
			e.Commands = append(e.Commands, "any, in "+root)
		}
	}
}

// servers notes the servers of the tools of a skill that are called.
func (e *Entry) servers(s *ir.Skill, called map[string]bool) {
	for _, ref := range s.Tools {
		if ref.Tool == nil || ref.Tool.Server == nil || !called[ref.Tool.Name.Value] {
			continue
		}
		server := ref.Tool.Server
		e.Variables = append(e.Variables, server.Env...)
		if len(server.Command) > 0 {
			e.Commands = append(e.Commands, strings.Join(server.Command, " "))
		} else {
			e.Hosts = append(e.Hosts, server.URL)
		}
	}
}

// accessOf are the rules of a machine that Go code drives.
func accessOf(a *ir.Agent) []string {
	m := a.MachineOf()
	if m == nil {
		return nil
	}
	var rules []string
	for _, rule := range m.Live.Access {
		text := map[bool]string{false: "allow ", true: "deny "}[rule.Deny] + rule.Agent.Value
		if len(rule.Keys) > 0 {
			text += ": " + strings.Join(ir.Values(rule.Keys), ", ")
		}
		if len(rule.States) > 0 {
			text += " in " + strings.Join(ir.Map(rule.States, func(s ir.Ref) string { return s.Value }), ", ")
		}
		rules = append(rules, text)
	}

	return rules
}
