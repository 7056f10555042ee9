package ir

import (
	"time"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Flow is an agent whose steps run one after another, in loops and beside each other. Every pattern becomes one that is
// neither a machine nor a single conversation: a machine has no groups that run beside each other and no value but the
// last one, which critic (the refinement needs the draft and the critique), debate or plan-execute could not do with.
type Flow struct {
	// Kind is the pattern as written.
	Kind string
	// Steps are the flow's own conversations in the order in which they are first run: the body of AGENT.md, if it is a
	// prompt in this pattern, and the step files.
	Steps []*Step
	// Body is what happens, first to last. It ends with a [Return] on every path.
	Body *Pipeline
	// Partial says that something in the flow was reported while it was read, so that steps, agents or operations may be
	// missing.
	Partial bool
}

// Pattern returns the pattern's name.
func (f *Flow) Pattern() string { return f.Kind }

// Step is one conversation of a flow.
type Step struct {
	// Name is the step file's name without .md; empty for the body of AGENT.md.
	Name Text
	File *source.File
	// PatternAt is as in [Agent]; the zero Text when the step does not say.
	PatternAt Text
	Prompt    Text
	// Template is the prompt where it has placeholders that a run fills in, which only prompts of workflows may have; else nil.
	Template *Template
	// Timeout bounds each call of the model; 0: no bound.
	Timeout time.Duration
	// Call is the step's own, completed from AGENT.md.
	Call Call
	// Node is *React or *Oneshot.
	Node Node
}

// Label is how scripts and events call the step of an agent: agent/step, or the agent itself for its body.
func (s *Step) Label(agent string) string {
	if s.Name.Value == "" {
		return agent
	}

	return agent + "/" + s.Name.Value
}

// AgentRef is a reference to an agent: the name as written, and the agent or nil.
type AgentRef struct {
	Text
	Agent *Agent
}
