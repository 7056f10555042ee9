package ir

import (
	"time"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Flow is an agent whose steps run in sequence, in loops and in parallel: a workflow file, or a
// pattern that is neither a machine nor a single conversation. A machine has no parallel groups,
// and no value but the last one, which critic (the refinement needs the draft and the critique),
// debate and plan-execute need. A file that a workflow imports is a separate flow. Like every
// agent, a flow has a name and finishes with a value and a key. Without a [Return], its value is
// the output of the last task. Its key is the end state of the machine that the last step is,
// otherwise done.
type Flow struct {
	// Kind is the pattern as written, or [Workflow].
	Kind string
	// Title is the title in the file; the zero Text without one.
	Title Text
	// Context is the declared schema of the context that the steps share; nil if the context is
	// open.
	Context *Schema
	// Conversations are the conversations of the flow. In a pattern they are in the order in which
	// they first run: the body of AGENT.md, if it is a prompt in this pattern, and the step files.
	// In a workflow they are the entries of `agents`, in source order.
	Conversations []*Step
	// Outputs are the values that `steps.<name>` can name, each name once, in the order of the
	// steps in the file, and the variables and histories of loops.
	Outputs []*Output
	// Body is the top-level steps.
	Body *Pipeline
	// Partial is set if a problem was reported while the flow was read. Steps, agents, rows or
	// types may then be missing.
	Partial bool
}

// Workflow is the kind of a workflow file.
const Workflow = "workflow"

// Pattern returns the name of the pattern, or [Workflow].
func (f *Flow) Pattern() string { return f.Kind }

// StepOutputs returns the outputs of steps: those that the object `steps` has.
func (f *Flow) StepOutputs() []*Output {
	return Where(f.Outputs, func(o *Output) bool { return o.Type.Owner != OwnerLoop && o.Type.Owner != OwnerHistory })
}

// IsWorkflow reports whether the flow is a workflow file.
func (f *Flow) IsWorkflow() bool { return f.Kind == Workflow }

// WorkflowOf returns the workflow of a node; ok is false if the node is something else.
func WorkflowOf(n Node) (f *Flow, ok bool) {
	f, ok = n.(*Flow)
	if !ok || !f.IsWorkflow() {
		return nil, false
	}

	return f, true
}

// ReceiveTask returns the task that reads the input of a workflow; nil without an `input_schema`.
func (f *Flow) ReceiveTask() *Task {
	tasks := f.Body.Steps()
	if len(tasks) == 0 {
		return nil
	}
	if _, receives := tasks[0].Do.(*Receive); !receives {
		return nil
	}

	return tasks[0]
}

// InputSchema returns the `input_schema` of a workflow; nil if any text is an input.
func (f *Flow) InputSchema() *Schema {
	t := f.ReceiveTask()
	if t == nil {
		return nil
	}

	return t.Type.Schema
}

// OutputTask returns the task that computes the `output` of a workflow; nil without one.
func (f *Flow) OutputTask() *Task {
	tasks := f.Body.Steps()
	if len(tasks) == 0 || tasks[len(tasks)-1].Part != PartResult {
		return nil
	}

	return tasks[len(tasks)-1]
}

// OutputSchema returns the schema of the `output` of a workflow if that is a Go struct; nil for any
// other output, and without one.
func (f *Flow) OutputSchema() *Schema {
	t := f.OutputTask()
	if t == nil || !t.Output.Type.IsStruct() {
		return nil
	}

	return t.Output.Type.Schema
}

// FinalSteps returns the last step of the source and its fallbacks. They choose the key with which a
// workflow finishes. A workflow without steps has none.
func (f *Flow) FinalSteps() []*Task {
	tasks := f.Body.Steps()
	if f.OutputTask() != nil {
		tasks = tasks[:len(tasks)-1]
	}

	return (&Pipeline{Tasks: tasks}).LastTasks()
}

// PatternOf returns the flow of a node with a pattern; ok is false if the node is something else.
func PatternOf(n Node) (f *Flow, ok bool) {
	f, ok = n.(*Flow)
	if !ok || f.IsWorkflow() {
		return nil, false
	}

	return f, true
}

// Step is one conversation of a flow.
type Step struct {
	// Name is the name of the step file without .md. It is empty for the body of AGENT.md.
	Name Text
	File *source.File
	// PatternAt is as in [Agent]; the zero Text if the step has no pattern.
	PatternAt Text
	Prompt    Text
	// Template is the prompt if a run fills in its placeholders, otherwise nil. Only prompts of
	// workflows may have placeholders.
	Template *Template
	// Timeout bounds each call of the model; 0: no bound.
	Timeout time.Duration
	// Call is the step's call, completed from AGENT.md.
	Call Call
	// Node is *React or *Oneshot.
	Node Node
}

// Label returns the name of the step in scripts and events: agent/step, or the agent itself for its
// body.
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

// workflow returns the workflow that the reference names; nil for another agent or an unknown one.
func (r *AgentRef) workflow() *Flow {
	if r == nil || r.Agent == nil {
		return nil
	}
	w, _ := WorkflowOf(r.Agent.Node)

	return w
}

// InputSchema returns the schema of the input of a workflow; nil for an agent that takes any text.
func (r *AgentRef) InputSchema() *Schema {
	w := r.workflow()
	if w == nil {
		return nil
	}

	return w.InputSchema()
}

// ContextSchema returns the schema of the context of a workflow; nil for an agent without one.
func (r *AgentRef) ContextSchema() *Schema {
	w := r.workflow()
	if w == nil {
		return nil
	}

	return w.Context
}
