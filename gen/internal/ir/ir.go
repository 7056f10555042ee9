package ir

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Text is a piece of text and its place.
type Text struct {
	Value string
	Span  source.Span
}

// Program is a whole project.
type Program struct {
	// Package is the name of the generated Go package.
	Package string
	// Output is the folder of the generated Go with forward slashes, relative to the project folder; "." is the folder itself.
	Output string
	// Entry is the agent that a run starts with; nil if the project leaves it open (several agents that no other contains).
	Entry *Agent
	// EntryName is where the config names the entry point; the zero Text without one.
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
	// Guards are the methods of Guards that rows ask, sorted by name, each once.
	Guards []*GuardFunc
	// Include are the parts that the binary carries besides run: serve, mcp, otel, temporal, page, panel.
	Include []Text
	// Store is the address of the store of runs, with ${NAME} for variables; the zero Text for files.
	Store Text
	// Models are the roles that the config defines, in its order.
	Models []*Model
	// HasModels says that the config has a models section; without it, roles are resolved from the environment at start.
	HasModels bool
	// Providers are the providers that the config names, in its order.
	Providers []*Provider
	// Reach is what the built-in tools may reach.
	Reach Reach
	// Budget is what a run of the program may spend; nil without limits.
	Budget *Budget
	// MaxCost is what no run may cost, in US dollars; 0 if the project does not say it. MaxCostAt is its place.
	MaxCost   float64
	MaxCostAt source.Span
	// DeniedFrom and DeniedTo are the classes of texts that may not get to the calls of a class; both are the zero Text if the project
	// does not say it.
	DeniedFrom, DeniedTo Text
	// Limits bound what comes from outside.
	Limits Limits
	// Renames are the entries of rename in the config, in its order.
	Renames []GoRename
	// Scripts are the script files that models name, sorted by path.
	Scripts []*Script
	// Recordings are the recordings that models name, sorted by path.
	Recordings []*Recording
	// Prices are what models cost; nil if the project does not say it.
	Prices *Prices
	// Files are all files that were read, sorted by path: AGENT.md, SKILL.md, the config, prices, scripts, recordings. Ignore comments are looked
	// for in them.
	Files []*source.File
}

// Agent is one AGENT.md, or one workflow file.
type Agent struct {
	// Name is the agent's name; its place is the `name` field's value.
	Name   Text
	File   *source.File
	Folder string // the folder's name, which Name must equal
	// Scripted says that a script.json is beside AGENT.md, with which the agent runs on its own.
	Scripted bool
	// Unread are the Markdown files beside AGENT.md that its pattern does not read. Those whose names are written in capitals,
	// such as README.md, are for people and not among them.
	Unread      []string
	Description Text
	Version     string
	// PatternAt is the value of the `pattern` field with its place, where a fix writes another; it may be the zero Text.
	PatternAt Text
	// Prompt is the body: the system prompt.
	Prompt Text
	// Env are variables that must be set when the binary starts.
	Env []Text
	// Call says which model is used; the zero value when no `call.model` is there.
	Call Call
	// Budget is what a run of the agent may spend; nil without limits.
	Budget *Budget
	// Node is what runs: *Machine, *React, *Oneshot or *Flow; nil when the front end found it faulty or not built yet.
	Node Node
}

// Call is `call.model`: whom to ask, and how.
type Call struct {
	// Role is the role that counts: as written, else the pattern's default, with the zero Span.
	Role Text
	// IsText reports whether call.model is the text of Role, by which a model may be meant: `call: {model: gpt-4o}`.
	IsText bool
	// Name is `provider:model`, which wins over Role; may be empty.
	Name Text
	// Settings are how to ask.
	model.Settings
}

// Node is what an agent does.
type Node interface {
	// Pattern returns the pattern's name as written in AGENT.md.
	Pattern() string
}

// React is pattern react.
type React struct {
	// MaxIter bounds the turns of the model.
	MaxIter int `shape:"-"`
	// Repair is how many faulty endings are asked again.
	Repair int `shape:"-"`
	// Stuck is how many identical calls with identical results in a row end the loop; 0 turns it off.
	Stuck int `shape:"-"`
	// Keys is the closed set of keys that the agent may finish with; nil when it is not declared.
	Keys []Text
	// Uses are the skills.
	Uses []SkillRef
	// Output is the schema of the value; nil when any text will do.
	Output *Schema
	// List says that a value is a list; nil when none has to be.
	List *ListRule
	// Gate says which tool may be called when; nil: whatever read_skill has unlocked.
	Gate *Gate
}

// Pattern returns "react".
func (*React) Pattern() string { return "react" }

// SkillRef is a reference to a skill: the name as written, and the skill or nil.
type SkillRef struct {
	Text
	Skill *Skill
}

// Oneshot is pattern oneshot.
type Oneshot struct {
	// Repair is how many values that do not fit Output are asked again.
	Repair int `shape:"-"`
	// Output is the schema of the value; nil when any text will do.
	Output *Schema
	// List says that the value is a list; nil when it need not be.
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
	// Body is what read_skill answers with.
	Body Text
	// Env are variables that must be set when the binary starts.
	Env []Text
	// Tools are what read_skill unlocks, in source order.
	Tools []ToolRef
	// Asked says that an agent or a step names the skill, though its pattern may have no use for skills.
	Asked bool
	// Partial says that an entry of its tools is faulty or not pinned, so that its tools are not known.
	Partial bool
	// Files are the files beside SKILL.md and below it, sorted by folder and name.
	Files []SkillFile
}

// SkillFile is a file of a skill, which read_skill_file returns.
type SkillFile struct {
	// Path is relative to the folder of the skill, with forward slashes.
	Path string
	// Content is what it has; Binary says that this is not text.
	Content string
	Binary  bool
}

// HasFile reports whether the skill has a file, or a folder with files.
func (s *Skill) HasFile(path string) bool {
	return slices.ContainsFunc(s.Files, func(f SkillFile) bool { return f.Path == path || strings.HasPrefix(f.Path, path+"/") })
}

// Text is what is compiled in: the content, or Base64 of what is not text.
func (f SkillFile) Text() string {
	if f.Binary {
		return base64.StdEncoding.EncodeToString([]byte(f.Content))
	}

	return f.Content
}

// ToolRef is an entry of a skill's `tools`.
type ToolRef struct {
	// Text is the name as written, the older `tama_` prefix included.
	Text
	// Builtin is the canonical name of a built-in tool; "" for a typed tool and for a name that nothing has.
	Builtin string
	// TakesVars reports whether calls of the built-in tool may name variables of the environment.
	TakesVars bool `shape:"-"`
	// Tool is the typed tool, or the one of a server; nil for a built-in one.
	Tool *Tool
}

// Tool is a typed tool, which is a method of the generated Tools interface, or one of a server.
type Tool struct {
	// Server has the tool, under the name Remote; nil for a typed one.
	Server *Server
	Remote string
	// Hints are what its server says of its effect; nothing here follows them.
	Hints []string

	Name        Text
	Description Text
	// Input is the schema of the arguments, always of kind Object.
	Input *Schema
	// Output is the schema of the result; nil: text.
	Output *Schema
	Effect Effect
	// Idempotent says that a repeated call with the same idempotency key does no harm.
	Idempotent bool
	// Confirm asks a person before each call.
	Confirm bool
	// Question is what the person is asked; nil: whether the agent may call the tool with its arguments.
	Question []QuestionPart
	// OnUnknown says what happens after a crash in the middle of a call: "fail", "retry" or "ask".
	OnUnknown string
}

// QuestionPart is a text, or an argument whose value is shown there.
type QuestionPart struct {
	Text string
	// Path are the names of the argument and of the fields within it that lead to the value. Defaults have, for each of them, the JSON
	// of its default; "" without one.
	Path, Defaults []string
}

// Effect is what a tool does to the world: read, write or external.
type Effect string

// The effects.
const (
	Read     Effect = "read"
	Write    Effect = "write"
	External Effect = "external"
)

// Model is a role of the config.
type Model struct {
	// Role is the role's name, such as default.
	Role Text
	// Name is `provider:model`; the place is that of the text.
	Name Text
	// Fallback are the models that are asked, in this order, when the one before has failed for good.
	Fallback []Text
	// Settings are how to ask, where the agent does not say so.
	model.Settings
	// BaseURL is empty when not given.
	BaseURL string
	// Stream says whether replies come in parts; nil when not given.
	Stream *bool
}

// Provider is a provider of models that the config names.
type Provider struct {
	// Name is the word before the colon of provider:model.
	Name Text
	// BaseURL is its address; empty when not given.
	BaseURL string
	// Import is the package that opens its models; the zero Text for the one that the compiler knows.
	Import Text
	// Stream says whether replies come in parts; nil when not given.
	Stream *bool
	// EndsWithoutReason reports whether its replies may end without a reason.
	EndsWithoutReason bool
}

// GoRename is another Go name for one that belongs to every program, such as New. To has its place in the config.
type GoRename struct {
	From string
	To   Text
}

// Limits are how large what comes from outside may be, in bytes; 0 when not given.
type Limits struct {
	Reply, ToolResult, ToolResultMax int64
}

// Script is a script file that a model names as `script:FILE`.
type Script struct {
	// Path is the file's path as the model writes it, cleaned, with forward slashes, relative to the project folder.
	Path string
	File *source.File
	// JSON is the script converted to JSON.
	JSON string
}

// Recording is a recording that a model names as `replay:FILE`.
type Recording struct {
	// Path is the file's path as that of a script.
	Path string
	// File is the recording, which the program has as it is.
	File *source.File
}

// AgentByName returns the agent called name, or nil.
func (p *Program) AgentByName(name string) *Agent {
	return First(p.Agents, func(a *Agent) bool { return a.Name.Value == name })
}
