package rt

import (
	"context"
	"encoding/json"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/model"
)

// ReactSpec is a react agent at compile time. It must not be changed.
type ReactSpec struct {
	// Agent is the agent's name, or agent/step.
	Agent string
	Model *model.Choice
	// Prompt is the body of the AGENT.md.
	Prompt string
	// MaxIter bounds the turns, Repair the faulty endings that are asked again, Stuck the identical calls in a row (0: off).
	MaxIter, Repair, Stuck int
	// Keys are the keys that the agent declares; nil for none.
	Keys []string
	// Ungated are the tools, or finish, that a gated agent may call in every state of its gate.
	Ungated []string
	// Skills are what read_skill can unlock.
	Skills []*SkillSpec
	// Output checks the value; nil: any text will do.
	Output *OutputSpec
	// List says that the value is a list, where its key says so; Output checks it with any other key. Nil: it is none.
	List *ListSpec
}

// SkillSpec is a skill at compile time.
type SkillSpec struct {
	Name        string
	Description string
	Body        string
	Tools       []SkillTool
	// Vars are the names of the variables that calls of the skill's built-in tools may name, sorted: those that it declares in env,
	// and those that its body has as ${NAME}.
	Vars []string
	// Files are the files of the skill, which read_skill_file returns.
	Files []SkillFile
}

// SkillFile is a file of a skill.
type SkillFile struct {
	// Path is relative to the folder of the skill, with forward slashes.
	Path string
	// Text is its text; Base64 says that it is no text, and that this is its bytes in Base64.
	Text   string
	Base64 bool
}

// SkillTool is a tool as a skill offers it.
type SkillTool struct {
	// Offered is the name under which the model is offered it: the older tama_ prefix is kept.
	Offered string
	Spec    *runtime.ToolSpec
}

// OutputSpec is the schema of a value.
type OutputSpec struct {
	// Schema is the JSON Schema.
	Schema string
	// Check says what is wrong, as a *ValueError; nil when the value fits.
	Check func(value json.RawMessage) error
}

// ToolRunner executes a typed tool of the program: generated code's switch over the tools' names.
type ToolRunner func(ctx context.Context, name string, args json.RawMessage) (runtime.ToolResult, error)

// OneshotSpec is a oneshot agent at compile time.
type OneshotSpec struct {
	Agent  string
	Model  *model.Choice
	Prompt string
	Repair int
	Output *OutputSpec
	// List says that the answer is a list, and Output is not asked then. Nil: it is none.
	List *ListSpec
	// Timeout bounds each call of the model; 0: no bound.
	Timeout time.Duration
}
