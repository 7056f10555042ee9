package ir

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Text is a text and its position.
type Text struct {
	Value string
	Span  source.Span
}

// Program is a whole project.
type Program struct {
	// Package is the name of the generated Go package.
	Package string
	// Output is the folder of the generated Go, with forward slashes, relative to the project
	// folder. "." is the project folder.
	Output string
	// Entry is the agent with which a run starts. It is nil if the project does not decide: several
	// agents are contained in no other.
	Entry *Agent
	// EntryName is the entry point in the config; the zero Text without one.
	EntryName Text
	// Agents are sorted by name.
	Agents []*Agent
	// Skills are sorted by name.
	Skills []*Skill
	// Tools are the typed tools of all skills, sorted by name, each once.
	Tools []*Tool
	// Servers are the MCP servers of all skills, sorted by name, each once.
	Servers []*Server
	// Funcs are the methods of Funcs that the workflows call, sorted by name, each once.
	Funcs []*Func
	// Guards are the methods of Guards that rows use, sorted by name, each once.
	Guards []*GuardFunc
	// Include are the optional parts of the binary: serve, mcp, otel, temporal, page, panel.
	Include []Text
	// Store is the address of the store of runs, with ${NAME} for variables. The zero Text means
	// files.
	Store Text
	// Models are the roles of the config, in its order.
	Models []*Model
	// HasModels reports whether the config has a models section. Without it, roles are resolved
	// from the environment at start.
	HasModels bool
	// Providers are the providers of the config, in its order.
	Providers []*Provider
	// Reach is what the built-in tools can access.
	Reach Reach
	// Budget limits what a run of the program may spend; nil without limits.
	Budget *Budget
	// MaxCost is the most that a run may cost, in US dollars, as `cost` computes it; 0 without a
	// limit. MaxCostAt is its position.
	MaxCost   float64
	MaxCostAt source.Span
	// DeniedFrom and DeniedTo are classes: texts of the first must not reach calls of the second.
	// Both are the zero Text without such a rule.
	DeniedFrom, DeniedTo Text
	// Limits bound input from outside.
	Limits Limits
	// Renames are the entries of rename in the config, in its order.
	Renames []GoRename
	// Scripts are the script files of models, sorted by path.
	Scripts []*Script
	// Recordings are the recordings of models, sorted by path.
	Recordings []*Recording
	// Prices are the prices of models; nil if the project has none.
	Prices *Prices
	// Files are all files that were read, sorted by path: AGENT.md, SKILL.md, the config, prices,
	// scripts, recordings. The compiler looks for ignore comments in them.
	Files []*source.File
}

// Agent is one AGENT.md, or one workflow file.
type Agent struct {
	// Name is the name of the agent. Its position is the value of the `name` field.
	Name   Text
	File   *source.File
	Folder string // the name of the folder, which Name must equal
	// Scripted reports whether there is a script.json next to AGENT.md, with which the agent runs
	// alone.
	Scripted bool
	// Unread are the Markdown files next to AGENT.md that its pattern does not read. Names in
	// capitals, such as README.md, are for people and not among them.
	Unread      []string
	Description Text
	Version     string
	// PatternAt is the value of the `pattern` field with its position, where a fix writes another.
	// It may be the zero Text.
	PatternAt Text
	// Prompt is the body of the file: the system prompt.
	Prompt Text
	// Env are the variables that must be set when the binary starts.
	Env []Text
	// Call selects the model; the zero value without `call.model`.
	Call Call
	// Budget limits what a run of the agent may spend; nil without limits.
	Budget *Budget
	// Node is *Machine, *React, *Oneshot or *Flow. It is nil if the front end reported a problem
	// with it.
	Node Node
}

// Call is `call.model`: the model to call, and its settings.
type Call struct {
	// Role is the role in effect: as written, otherwise the default of the pattern, with the zero
	// Span.
	Role Text
	// IsText reports whether call.model is a text, such as `call: {model: gpt-4o}`. The author may
	// have meant a model by it, not a role.
	IsText bool
	// Name is `provider:model`, which takes precedence over Role; may be empty.
	Name Text
	model.Settings
}

// Node is the behavior of an agent.
type Node interface {
	// Pattern returns the name of the pattern as written in AGENT.md.
	Pattern() string
}

// React is the pattern react.
type React struct {
	// MaxIter bounds the turns of the model.
	MaxIter int `shape:"-"`
	// Repair is how often the model is asked again after an invalid finish.
	Repair int `shape:"-"`
	// Stuck is the number of identical calls with identical results in a row that ends the loop; 0
	// disables the check.
	Stuck int `shape:"-"`
	// Keys is the closed set of keys with which the agent may finish; nil without a declaration.
	Keys []Text
	// Uses are the skills.
	Uses []SkillRef
	// Output is the schema of the value; nil if any text is valid.
	Output *Schema
	// List is the rule for a value that is a list; nil if it need not be one.
	List *ListRule
	// Gate restricts tool calls by state. A nil gate permits the tools that read_skill has
	// unlocked.
	Gate *Gate
}

// Pattern returns "react".
func (*React) Pattern() string { return "react" }

// SkillRef is a reference to a skill: the name as written, and the skill or nil.
type SkillRef struct {
	Text
	Skill *Skill
}

// Oneshot is the pattern oneshot.
type Oneshot struct {
	// Repair is how often the model is asked again after a value that does not fit Output.
	Repair int `shape:"-"`
	// Output is the schema of the value; nil if any text is valid.
	Output *Schema
	// List is the rule for a value that is a list; nil if it need not be one.
	List *ListRule
}

// Pattern returns "oneshot".
func (*Oneshot) Pattern() string { return "oneshot" }

// Skill is one SKILL.md.
type Skill struct {
	Name        Text
	File        *source.File
	Folder      string
	Description Text
	// Body is the answer of read_skill.
	Body Text
	// Env are the variables that must be set when the binary starts.
	Env []Text
	// Tools are the tools that read_skill unlocks, in source order.
	Tools []ToolRef
	// Asked reports whether an agent or a step names the skill, even if its pattern does not use
	// skills.
	Asked bool
	// Partial is set if an entry of the tools is invalid or not pinned. Some tools are then not
	// known.
	Partial bool
	// Files are the files next to SKILL.md and below it, sorted by folder and name.
	Files []SkillFile
}

// SkillFile is a file of a skill, which read_skill_file returns.
type SkillFile struct {
	// Path is relative to the folder of the skill, with forward slashes.
	Path string
	// Content is the content of the file. Binary is set if it is not text.
	Content string
	Binary  bool
}

// HasFile reports whether the skill has a file, or a folder with files, at the path.
func (s *Skill) HasFile(path string) bool {
	return slices.ContainsFunc(s.Files, func(f SkillFile) bool { return f.Path == path || strings.HasPrefix(f.Path, path+"/") })
}

// Text returns what is compiled in: the content, or its Base64 if it is not text.
func (f SkillFile) Text() string {
	if f.Binary {
		return base64.StdEncoding.EncodeToString([]byte(f.Content))
	}

	return f.Content
}

// ToolRef is an entry of a skill's `tools`.
type ToolRef struct {
	// Text is the name as written, including the older prefix `tama_`.
	Text
	// Builtin is the canonical name of a built-in tool. It is empty for a typed tool and for an
	// unknown name.
	Builtin string
	// TakesVars reports whether calls of the built-in tool may name variables of the environment.
	TakesVars bool `shape:"-"`
	// Tool is the typed tool or the tool of a server; nil for a built-in one.
	Tool *Tool
}

// Tool is a typed tool, which is a method of the generated Tools interface, or a tool of a server.
type Tool struct {
	// Server is the server of the tool, which calls it Remote. It is nil for a typed tool.
	Server *Server
	Remote string
	// Hints are the hints of the server about the effect of the tool. The compiler does not rely on
	// them.
	Hints []string

	Name        Text
	Description Text
	// Input is the schema of the arguments, always of kind Object.
	Input *Schema
	// Output is the schema of the result; nil for text.
	Output *Schema
	CallTraits
	// Confirm requires a person's consent before each call.
	Confirm bool
	// Question is the question to the person. With nil, it is whether the agent may call the tool
	// with its arguments.
	Question []QuestionPart
}

// CallTraits are what the author declares about calls of a tool or a function.
type CallTraits struct {
	// Effect is what they do to the world; of a function "" if that is not declared.
	Effect Effect
	// Idempotent reports whether a repeated call with the same idempotency key does no harm.
	Idempotent bool
	// OnUnknown selects what happens after a crash during a call: "fail", "retry" or "ask", which is the
	// same as "".
	OnUnknown string
	// Interruptible reports whether they return soon after their contexts have ended.
	Interruptible bool
}

// IsRepeatable reports whether a call may be repeated if it is not known whether it took place.
func (t *CallTraits) IsRepeatable() bool { return t.Effect == Read || t.Idempotent }

// IsUnsafeToRetry reports whether a call that has failed may have had an effect outside that must
// not happen twice.
func (t *CallTraits) IsUnsafeToRetry() bool {
	return !t.Idempotent && t.Effect != Read && t.Effect != Write
}

// QuestionPart is a text, or an argument whose value is shown.
type QuestionPart struct {
	Text string
	// Path are the names of the argument and of the fields within it that lead to the value.
	// Defaults has the JSON of the default for each of them, "" without one.
	Path, Defaults []string
}

// Effect is the effect of a tool on the world: read, write or external.
type Effect string

// The effects.
const (
	Read     Effect = "read"
	Write    Effect = "write"
	External Effect = "external"
)

// Model is a role of the config.
type Model struct {
	// Role is the name of the role, such as default.
	Role Text
	// Name is `provider:model`, with the position of the text.
	Name Text
	// Fallback are the models that are called in this order after the previous one failed
	// permanently.
	Fallback []Text
	model.Settings
	// BaseURL is empty if it is not set.
	BaseURL string
	// Stream selects whether replies come in parts; nil if it is not set.
	Stream *bool
}

// Provider is a provider of models in the config.
type Provider struct {
	// Name is the word before the colon of provider:model.
	Name Text
	// BaseURL is its address; empty if it is not set.
	BaseURL string
	// Import is the package that opens its models; the zero Text for a provider that the compiler
	// knows.
	Import Text
	// Stream selects whether replies come in parts; nil if it is not set.
	Stream *bool
	// EndsWithoutReason reports whether its replies may end without a reason.
	EndsWithoutReason bool
}

// GoRename is another Go name for one that every program has, such as New. The position of To is in
// the config.
type GoRename struct {
	From string
	To   Text
}

// Limits bound the size of input from outside, in bytes; 0 if it is not set.
type Limits struct {
	Reply, ToolResult, ToolResultMax int64
}

// Script is a script file that a model names as `script:FILE`.
type Script struct {
	// Path is the path as the model writes it, cleaned, with forward slashes, relative to the
	// project folder.
	Path string
	File *source.File
	// JSON is the script converted to JSON.
	JSON string
}

// Recording is a recording that a model names as `replay:FILE`.
type Recording struct {
	// Path is as in [Script].
	Path string
	// File is the recording. The program contains it unchanged.
	File *source.File
}

// AgentByName returns the agent with the name, or nil.
func (p *Program) AgentByName(name string) *Agent {
	return First(p.Agents, func(a *Agent) bool { return a.Name.Value == name })
}
