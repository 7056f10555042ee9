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
	// Agents are all agents that it leads to, sorted, and Tools the calls that are reached.
	Agents []string `json:"agents"`
	Tools  []Use    `json:"tools"`
	// Files is the folder of the file tools, Hosts the hosts of the http tools, and Commands the
	// started programs: "any" with bash, and servers of tools. Each is empty if no run reaches such
	// a tool.
	Files    string   `json:"files,omitempty"`
	Hosts    []string `json:"hosts,omitempty"`
	Commands []string `json:"commands,omitempty"`
	// Variables are the variables of the environment whose values agents, skills and servers
	// receive.
	Variables []string `json:"variables,omitempty"`
	// Access are the rules for who may drive a machine, such as "allow courier: pick-up".
	Access []string `json:"access,omitempty"`
}

// Use is a tool that a conversation or a step can call.
type Use struct {
	Agent string `json:"agent"`
	Tool  string `json:"tool"`
	// Effect is the effect of the tool: read, write, external, or unknown for a function.
	Effect string `json:"effect"`
	// Skill unlocks it; "" for a step. Confirm is set if a person is asked before each call.
	Skill   string `json:"skill,omitempty"`
	Confirm bool   `json:"confirm,omitempty"`
	// Blockers are the people and the guards that every run to it has to pass. Gate are the fewest
	// calls before it.
	Blockers []string `json:"behind,omitempty"`
	Gate     []string `json:"gate,omitempty"`
}

// FindEntries finds what runs of some entry points can do.
func FindEntries(p *ir.Program, facts *flow.Program, entries []*ir.Agent) []Entry {
	return ir.Map(entries, func(a *ir.Agent) Entry {
		e := Entry{Name: a.Name.Value, Tools: findUses(facts, a), Access: accessRules(a)}
		e.addReach(p, ir.ReachableFrom(a))
		return e
	})
}

// findUses returns the tools that runs call, with their blockers.
func findUses(facts *flow.Program, a *ir.Agent) []Use {
	whole := callsUnlessBlocked(facts, a, "")
	without := map[string]*result{}
	uses := []Use{}
	for _, of := range slices.SortedFunc(maps.Keys(whole.calls), compareUses) {
		c := whole.calls[of]
		u := Use{Agent: c.agent, Tool: c.toolUse.tool, Effect: c.tool.effect, Skill: c.tool.skill, Confirm: c.tool.confirm}
		steps := c.t.listSteps()
		for _, s := range steps {
			name := s.guardName
			if s.Do == "ask" {
				name = personName(s.Agent)
			}
			if name == "" || slices.Contains(u.Blockers, name) {
				continue
			}
			if without[name] == nil {
				without[name] = callsUnlessBlocked(facts, a, name)
			}
			if without[name].calls[of] == nil {
				u.Blockers = append(u.Blockers, name)
			}
		}
		calls := steps[len(steps)-1].Calls
		u.Gate = ir.Map(calls[:len(calls)-1], func(before Call) string { return before.Tool })
		uses = append(uses, u)
	}

	return uses
}

// callsUnlessBlocked returns the calls of runs if a person, or a guard, stops all runs.
func callsUnlessBlocked(facts *flow.Program, a *ir.Agent, blocked string) *result {
	x := newAnalysis(facts)
	x.countsAllCalls, x.blocked = true, blocked

	return x.analyzeEntry(a, nil)
}

// addReach adds what the tools of some agents can access.
func (e *Entry) addReach(p *ir.Program, agents []*ir.Agent) {
	called := ir.SetOf(ir.Map(e.Tools, func(use Use) string { return use.Tool }))
	reached := &ir.Program{Agents: agents}
	for _, a := range agents {
		e.Agents = append(e.Agents, a.Name.Value)
		for _, use := range a.SkillRefs() {
			reached.Skills = append(reached.Skills, use.Skill)
			e.addServers(use.Skill, called)
		}
	}
	e.Variables = append(e.Variables, reached.EnvVars()...)
	e.addBuiltins(p.Reach, called)
	for _, list := range []*[]string{&e.Agents, &e.Variables, &e.Commands, &e.Hosts} {
		*list = ir.Sorted(*list)
	}
}

// addBuiltins adds what the called built-in tools can access.
func (e *Entry) addBuiltins(reach ir.Reach, called map[string]bool) {
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

// addServers adds the servers of the called tools of a skill.
func (e *Entry) addServers(s *ir.Skill, called map[string]bool) {
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

// accessRules returns the access rules of a machine that Go code drives.
func accessRules(a *ir.Agent) []string {
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
