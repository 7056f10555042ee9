package rt

import (
	"context"
	"encoding/json"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/internal/last"
	"github.com/agentc-dev/agentc/runtime/model"
)

// ReactSpec describes a react agent at compile time. It must not be changed.
type ReactSpec struct {
	// Agent is the agent's name, or agent/step.
	Agent string
	Model *model.Choice
	// Prompt is the body of the AGENT.md.
	Prompt string
	// MaxIter limits the turns, Repair how often a faulty ending is repeated, and Stuck the
	// identical calls in a row (0: no limit).
	MaxIter, Repair, Stuck int
	// Keys are the keys that the agent declares; nil for none.
	Keys []string
	// Ungated are the tools, or finish, that an agent with a gate may call in every state of it.
	Ungated []string
	// Skills are the skills that read_skill can unlock.
	Skills []*SkillSpec
	// Output checks the value; nil: any text is valid.
	Output *OutputSpec
	// List describes the list that the value is with the list's key; Output checks the value with
	// any other key. Nil: no list.
	List *ListSpec

	opening last.Value[opening]
}

// SkillSpec describes a skill at compile time.
type SkillSpec struct {
	Name        string
	Description string
	Body        string
	Tools       []*runtime.ToolSpec
	// Prefixed are the built-in tools that a model is offered with the older prefix tama_.
	Prefixed []string
	// Vars are the names of the variables that calls of the skill's built-in tools may refer to,
	// sorted: those that it declares in env, and those in its body as ${NAME}.
	Vars []string
	// Files are the files of the skill, which read_skill_file returns, by their paths relative to
	// its folder, with forward slashes.
	Files map[string]string
	// Base64 are the paths of files that are not text: their bytes are in Base64.
	Base64 []string
}

// OutputSpec is the schema of a value.
type OutputSpec struct {
	// Schema is the JSON Schema.
	Schema string
	// Check returns what is wrong, as a *ValueError; nil if the value is valid.
	Check func(value json.RawMessage) error
}

// toolRunner executes a typed tool of the program: generated code's switch over the tools' names.
type toolRunner func(ctx context.Context, name string, args json.RawMessage) (runtime.ToolResult, error)

// OneshotSpec describes a oneshot agent at compile time.
type OneshotSpec struct {
	Agent  string
	Model  *model.Choice
	Prompt string
	Repair int
	Output *OutputSpec
	// List describes the list that the answer is, and Output is not used then. Nil: no list.
	List *ListSpec
	// Timeout limits each call of the model; 0: no limit.
	Timeout time.Duration
}
