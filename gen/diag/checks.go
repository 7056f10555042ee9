package diag

import "slices"

// Check is an entry of the catalogue: one kind of diagnostic.
type Check struct {
	// Name is the word in brackets at the end of a message, such as undefined-state.
	Name string
	// Severity is the severity of the diagnostics, except where the context makes it lower or
	// higher.
	Severity Severity
	// Summary describes in one line what the check reports.
	Summary string
}

// catalogue has the checks in the order of their definitions, which is the order of the
// documentation.
var catalogue []*Check

func newCheck(name string, severity Severity, summary string) *Check {
	c := &Check{name, severity, summary}
	catalogue = append(catalogue, c)

	return c
}

// The catalogue. Each has a page in gen/explain.
var (
	Syntax            = newCheck("syntax", Error, "the file is not valid YAML, TOML or frontmatter")
	DuplicateKey      = newCheck("duplicate-key", Error, "a mapping has the same key twice")
	UnknownField      = newCheck("unknown-field", Error, "a field that is documented nowhere")
	MissingField      = newCheck("missing-field", Error, "a required field is absent")
	WrongType         = newCheck("wrong-type", Error, "a value of the wrong type")
	BadValue          = newCheck("bad-value", Error, "a value outside of what the field allows")
	UnusedField       = newCheck("unused-field", Error, "a documented field that this pattern or file does not use")
	SchemaUnsupported = newCheck("schema-unsupported", Error, "a JSON Schema keyword that cannot become Go")

	InvalidName   = newCheck("invalid-name", Error, "a name with characters that names may not have")
	NameMismatch  = newCheck("name-mismatch", Error, "a name that differs from its folder's")
	DuplicateName = newCheck("duplicate-name", Error, "two names that become the same Go identifier or file")

	UndefinedState    = newCheck("undefined-state", Error, "a row leads to a state that does not exist")
	UndefinedInitial  = newCheck("undefined-initial", Error, "initial names no state, or a marker")
	UndefinedAgent    = newCheck("undefined-agent", Error, "a reference to an agent that does not exist")
	UndefinedSkill    = newCheck("undefined-skill", Error, "a reference to a skill that does not exist")
	UndefinedStep     = newCheck("undefined-step", Error, "a step file that the pattern needs does not exist")
	UndefinedTool     = newCheck("undefined-tool", Error, "a skill names a tool that does not exist")
	ToolOff           = newCheck("tool-off", Warning, "a built-in tool that a skill unlocks and that the config does not turn on")
	UndefinedAction   = newCheck("undefined-action", Error, "a gate names something that is not a tool of the agent's skills")
	UndefinedRole     = newCheck("undefined-role", Error, "a model role that the config does not define")
	UndefinedProvider = newCheck("undefined-provider", Error, "a model of a provider that is not built in and that the config does not name")
	UnpricedModel     = newCheck("unpriced-model", Warning, "a model that may be asked has no price, and money is limited")
	MaxCost           = newCheck("max-cost", Error, "a run for which it is not proved that it costs no more than max_cost")
	DeniedFlow        = newCheck("denied-flow", Error, "untrusted text that can reach a call which deny_flow keeps it from")
	MarkerNearAgent   = newCheck("marker-near-agent", Warning, "a terminal marker whose name is close to an agent's")

	UnusedAgent    = newCheck("unused-agent", Warning, "an agent that no entry point leads to")
	UnusedSkill    = newCheck("unused-skill", Warning, "a skill that no agent and no step names")
	SkillFile      = newCheck("skill-file", Error, "a file of a skill that is linked and missing, or that cannot be compiled in")
	UnusedStepFile = newCheck("unused-step-file", Warning, "a file in an agent's folder that its pattern does not read")
	UnusedConfig   = newCheck("unused-config", Warning, "a config file that is not read, because another one counts")
	UnpinnedServer = newCheck("unpinned-server", Error, "an MCP server whose tools are not pinned in agentc.lock, or not as they are")
	UnusedPin      = newCheck("unused-pin", Warning, "a server in agentc.lock that no skill names")

	UnreachableState    = newCheck("unreachable-state", Error, "no path leads from the initial state to this one")
	ImplicitEnd         = newCheck("implicit-end", Warning, "a state in which a machine of a workflow ends although end_states does not list it")
	NoExit              = newCheck("no-exit", Error, "states from which no terminal can be reached")
	BeyondBounds        = newCheck("beyond-bounds", Error, "an agent whose shortest run is longer than its bounds allow")
	CatchAllNotLast     = newCheck("catch-all-not-last", Error, `a row after "*" can never be chosen`)
	DuplicateTransition = newCheck("duplicate-transition", Error, "a second row for the same key")
	ShadowedTransition  = newCheck("shadowed-transition", Error, "a row with a guard that is never evaluated, because one before it is taken")
	NoElse              = newCheck("no-else", Warning, "a key, or the success of a state, whose rows all have guards, and nothing for when none holds")
	AmbiguousKey        = newCheck("ambiguous-key", Error, "two keys of a state that are equal when trimmed and lower-cased")
	UngatedTool         = newCheck("ungated-tool", Error, "a tool that an agent's skills unlock and that its gate does not place")
	NoAllow             = newCheck("no-allow", Warning, "rules of access that only deny, so that no caller may fire anything")
	AgentCycle          = newCheck("agent-cycle", Error, "agents that contain each other")
	UnroutedKey         = newCheck("unrouted-key", Error, "a key that the agent can finish with has no row here")

	DeadTransition     = newCheck("dead-transition", Warning, "a row that is never taken, because its agent never finishes with its key")
	PromptKey          = newCheck("prompt-key", Warning, "a prompt that names a key which is not legal, or none of those that are")
	PromptWithoutTools = newCheck("prompt-without-tools", Warning, "a oneshot prompt asks for tools or finish")
	LockedTool         = newCheck("locked-tool", Warning, "a prompt or a skill asks for a built-in tool that nothing unlocks")
	PromptPlaceholder  = newCheck("prompt-placeholder", Warning, "a prompt has a placeholder of a template that nothing fills")
	PromptSecret       = newCheck("prompt-secret", Error, "a source file contains something that looks like a credential")

	ConstantGuard         = newCheck("constant-guard", Warning, "a condition, or a part of one, that is always true or never")
	GuardType             = newCheck("guard-type", Error, "an operation on a value of a type that does not have it")
	NoResult              = newCheck("no-result", Error, "arithmetic that never has a result")
	UndefinedVariable     = newCheck("undefined-variable", Error, "an expression or a template names what does not exist")
	UnsupportedExpression = newCheck("unsupported-expression", Error, "an expression that the language does not have")
	UnreadBeforeWritten   = newCheck("unread-before-written", Error, "a step's output is read where the step has not run yet")
	UnwrittenField        = newCheck("unwritten-field", Error, "a condition reads a field of the context that nothing writes")
	UndefinedStepOutput   = newCheck("undefined-step-output", Error, "an expression or a template names a step that does not exist")
	TemplateSyntax        = newCheck("template-syntax", Error, "a template with a placeholder or a block that cannot be read")
	SingleBraces          = newCheck("single-braces", Warning, "a text of a template has a name in single braces, which stay text")
	UnknownFilter         = newCheck("unknown-filter", Error, "a template names a filter that does not exist")
	NumericText           = newCheck("numeric-text", Warning, "a text is compared with a number")

	UndefinedImport   = newCheck("undefined-import", Error, "an import of a workflow that does not exist")
	UnsupportedStep   = newCheck("unsupported-step", Error, "a kind of step, or a feature, that this language leaves out")
	DanglingNextState = newCheck("dangling-next-state", Error, "a value of next_state that names no state")

	UnhandledFailure = newCheck("unhandled-failure", Warning, "a state that can fail in a machine without a row for failures")
	DeadBody         = newCheck("dead-body", Warning, "steps that never run: of an end state, or of a map over a list that is always empty")
	ContextMismatch  = newCheck("context-mismatch", Error, "a step's output, an empty context or a loop's variable that never fits its declared type")
	ArgumentMismatch = newCheck("argument-mismatch", Error, "an argument of a function or a workflow that never fits its input schema")
	UnusedOutput     = newCheck("unused-output", Warning, "a step's output that nothing reads")
	ParallelConflict = newCheck("parallel-conflict", Error, "branches that write the same place, and no strategy for that")
	ParallelRead     = newCheck("parallel-read", Warning, "a branch that reads what another one writes")
	RetryUnsafe      = newCheck("retry-unsafe", Warning, "a retry that may do twice what must be done once")

	StaleOutput       = newCheck("stale-output", Error, "a generated file differs from what its source gives")
	EditedOutput      = newCheck("edited-output", Error, "a generated file was edited by hand")
	OrphanOutput      = newCheck("orphan-output", Error, "a generated file that belongs to no source")
	UnimplementedTool = newCheck("unimplemented-tool", Error, "typed tools, or functions of workflows, without Go that implements them")

	DeprecatedForm = newCheck("deprecated-form", Warning, "accepted for compatibility")
	BadIgnore      = newCheck("bad-ignore", Warning, "an ignore comment without a reason, or one that silences nothing")
)

// Checks returns the catalogue in the order of the documentation.
func Checks() []*Check { return slices.Clone(catalogue) }

// Lookup returns the check called name, or nil.
func Lookup(name string) *Check {
	for _, c := range Checks() {
		if c.Name == name {
			return c
		}
	}

	return nil
}
