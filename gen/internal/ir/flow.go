package ir

import (
	"time"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Flow is an agent whose steps run one after another, in loops and beside each other: a workflow file, or a pattern that is neither a
// machine nor a single conversation. A pattern is one because a machine has no groups that run beside each other and no value but the
// last one, which critic (the refinement needs the draft and the critique), debate or plan-execute could not do with. A file that a
// workflow imports is a flow of its own. Like every agent, a flow has a name and a finish: where no [Return] says which, its value is
// the last step's output, its key the end state of the machine that the last step is, else done.
type Flow struct {
	// Kind is the pattern as written, or [Workflow].
	Kind string
	// Title is what the file calls the flow; the zero Text where it does not.
	Title Text
	// Context is the declared schema of the context that the steps share; nil when the context is open.
	Context *Schema
	// Conversations are the flow's own. Those of a pattern are in the order in which they are first run: the body of AGENT.md, if
	// it is a prompt in this pattern, and the step files. Those of a workflow are what `agents` declares, in source order.
	Conversations []*Step
	// Outputs are what `steps.<name>` can name, each name once, in the order of the steps in the file.
	Outputs []*Output
	// Body are the steps at the top.
	Body *Pipeline
	// Partial says that something in the flow was reported while it was read, so that steps, agents, rows or types may be
	// missing.
	Partial bool
}

// Workflow is the kind of a flow that is a workflow file.
const Workflow = "workflow"

// Pattern returns the pattern's name, or [Workflow].
func (f *Flow) Pattern() string { return f.Kind }

// IsWorkflow reports whether the flow is a workflow file.
func (f *Flow) IsWorkflow() bool { return f.Kind == Workflow }

// WorkflowOf returns the workflow that an agent does; ok is false where it does something else.
func WorkflowOf(n Node) (f *Flow, ok bool) {
	f, ok = n.(*Flow)
	if !ok || !f.IsWorkflow() {
		return nil, false
	}

	return f, true
}

// PatternOf returns the flow of a pattern that an agent does; ok is false where it does something else.
func PatternOf(n Node) (f *Flow, ok bool) {
	f, ok = n.(*Flow)
	if !ok || f.IsWorkflow() {
		return nil, false
	}

	return f, true
}

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
