package walk

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
)

// passage is what a gated agent calls, in one turn, before it may finish.
type passage struct {
	calls []call
	// finish is what guards say about finish itself.
	finish sayings
	// rows are those of the gate that are taken, by their numbers.
	rows []int
	// json are the calls, those that read the skills of the tools included, as a script has them.
	json string
}

// call is the call of a typed tool.
type call struct {
	tool *ir.Tool
	// args and result are JSON.
	args, result string
	asked        sayings
}

// mostCalls bounds the calls of a turn, as the runtime does.
const mostCalls = 100

// passageOf returns the shortest passage through the gate of an agent; nil if none is known. Built-in tools are not called: what
// they do is no matter of a script.
func (l limits) passageOf(react *ir.React) *passage { return newGateSearch(l, react).shortest() }

// callOf returns a call of a tool of the agent; ok is false if none can be made.
func (l limits) callOf(react *ir.React, name string) (c call, ok bool) {
	for _, use := range react.Uses {
		if use.Skill == nil {
			continue
		}
		for _, ref := range use.Skill.Tools {
			if ref.Tool == nil || ref.Tool.Name.Value != name {
				continue
			}
			args, err := sample.Value(ref.Tool.Input, "text")
			if err != nil {
				return call{}, l.guesses
			}
			result := sample.Quote("A result of " + name + ".")
			if ref.Tool.Output != nil {
				if result, err = sample.Value(ref.Tool.Output, "text"); err != nil {
					return call{}, l.guesses
				}
			}
			return call{tool: ref.Tool, args: args, result: result}, true
		}
	}

	return call{}, l.guesses && builtin.Tool(name) != ""
}

// script writes the calls, each tool behind the first skill that unlocks it.
func (p *passage) script(react *ir.React) string {
	var calls []string
	read := map[string]bool{}
	for _, c := range p.calls {
		if skill := unlocking(react, c.tool); !read[skill] {
			read[skill] = true
			calls = append(calls, `{"name": "read_skill", "args": {"name": `+sample.Quote(skill)+`}}`)
		}
		calls = append(calls, `{"name": `+sample.Quote(c.tool.Name.Value)+`, "args": `+c.args+`}`)
	}
	if len(calls) == 0 {
		return ""
	}

	return "[" + strings.Join(calls, ", ") + "]"
}

// unlocking returns the name of the first skill of an agent that unlocks a tool.
func unlocking(react *ir.React, tool *ir.Tool) string {
	for _, use := range react.Uses {
		if use.Skill != nil && slices.ContainsFunc(use.Skill.Tools, func(ref ir.ToolRef) bool { return ref.Tool == tool }) {
			return use.Skill.Name.Value
		}
	}

	return ""
}

// play answers for the tools that are called, and for the guards and the people that are asked on the way.
func (p *passage) play(r *recorder, b *branch) {
	if p == nil {
		return
	}
	for _, c := range p.calls {
		r.say(b, c.asked)
		if c.tool.Confirm {
			r.ask(b, c.tool.Name.Value, answer)
		}
		r.tools.add(c.tool.Name.Value, b, Turn{Value: c.result})
	}
	r.say(b, p.finish)
}
