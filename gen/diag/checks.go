package diag

// Check is an entry of the catalogue: one kind of diagnostic.
type Check struct {
	// Name is the word in brackets at the end of a message, such as undefined-state.
	Name string
	// Severity is the severity of the diagnostics, except where the context makes it lower or higher.
	Severity Severity
	// Summary describes in one line what the check reports.
	Summary string
}

// The catalogue. Each has a page in gen/explain.
var (
	Syntax            = &Check{"syntax", Error, "the file is not valid YAML, TOML or frontmatter"}
	DuplicateKey      = &Check{"duplicate-key", Error, "a mapping has the same key twice"}
	UnknownField      = &Check{"unknown-field", Error, "a field that is documented nowhere"}
	MissingField      = &Check{"missing-field", Error, "a required field is absent"}
	WrongType         = &Check{"wrong-type", Error, "a value of the wrong type"}
	BadValue          = &Check{"bad-value", Error, "a value outside of what the field allows"}
	UnusedField       = &Check{"unused-field", Warning, "a documented field that this pattern or file does not use"}
	SchemaUnsupported = &Check{"schema-unsupported", Error, "a JSON Schema keyword that cannot become Go"}

	InvalidName   = &Check{"invalid-name", Error, "a name with characters that names may not have"}
	NameMismatch  = &Check{"name-mismatch", Error, "a name that differs from its folder's"}
	DuplicateName = &Check{"duplicate-name", Error, "two names that become the same Go identifier or file"}

	UndefinedState    = &Check{"undefined-state", Error, "a row leads to a state that does not exist"}
	UndefinedInitial  = &Check{"undefined-initial", Error, "initial names no state, or a marker"}
	UndefinedAgent    = &Check{"undefined-agent", Error, "a reference to an agent that does not exist"}
	UndefinedSkill    = &Check{"undefined-skill", Error, "a reference to a skill that does not exist"}
	UndefinedStep     = &Check{"undefined-step", Error, "a step file that the pattern needs does not exist"}
	UndefinedTool     = &Check{"undefined-tool", Error, "a skill names a tool that does not exist"}
	ToolOff           = &Check{"tool-off", Warning, "a built-in tool that a skill unlocks and that the config does not turn on"}
	UndefinedAction   = &Check{"undefined-action", Error, "a gate names something that is not a tool of the agent's skills"}
	UndefinedRole     = &Check{"undefined-role", Error, "a model role that the config does not define"}
	UndefinedProvider = &Check{"undefined-provider", Error, "a model of a provider that is not built in and that the config does not name"}
	UnpricedModel     = &Check{"unpriced-model", Warning, "a model that may be asked has no price, and money is limited"}
	DeniedFlow        = &Check{"denied-flow", Error, "untrusted text that can reach a call which deny_flow keeps it from"}
	MaxCost           = &Check{"max-cost", Error, "a run for which it is not proved that it costs no more than max_cost"}
	MarkerNearAgent   = &Check{"marker-near-agent", Warning, "a terminal marker whose name is close to an agent's"}

	UnusedAgent    = &Check{"unused-agent", Warning, "an agent that no entry point leads to"}
	UnusedSkill    = &Check{"unused-skill", Warning, "a skill that no agent and no step names"}
	SkillFile      = &Check{"skill-file", Error, "a file of a skill that is linked and missing, or that cannot be compiled in"}
	UnpinnedServer = &Check{"unpinned-server", Error, "an MCP server whose tools are not pinned in agentc.lock, or not as they are"}
	UnusedPin      = &Check{"unused-pin", Warning, "a server in agentc.lock that no skill names"}
	UnusedConfig   = &Check{"unused-config", Warning, "a config file that is not read, because another one counts"}
	UnusedStepFile = &Check{"unused-step-file", Warning, "a file in an agent's folder that its pattern does not read"}

	UnreachableState    = &Check{"unreachable-state", Error, "no path leads from the initial state to this one"}
	NoExit              = &Check{"no-exit", Error, "states from which no terminal can be reached"}
	BeyondBounds        = &Check{"beyond-bounds", Error, "an agent whose shortest run is longer than its bounds allow"}
	CatchAllNotLast     = &Check{"catch-all-not-last", Error, `a row after "*" can never be chosen`}
	DuplicateTransition = &Check{"duplicate-transition", Error, "a second row for the same key"}
	ShadowedTransition  = &Check{"shadowed-transition", Error, "a row with a guard that is never asked, because one before it is taken"}
	NoElse              = &Check{"no-else", Warning, "a key, or the success of a state, whose rows all have guards, and nothing for when none holds"}
	NoAllow             = &Check{"no-allow", Warning, "rules of access that only deny, so that no caller may fire anything"}
	UngatedTool         = &Check{"ungated-tool", Error, "a tool that an agent's skills unlock and that its gate does not place"}
	AmbiguousKey        = &Check{"ambiguous-key", Error, "two keys of a state that are equal when trimmed and lower-cased"}
	AgentCycle          = &Check{"agent-cycle", Error, "agents that contain each other"}
	UnroutedKey         = &Check{"unrouted-key", Error, "a key that the agent can finish with has no row here"}

	DeadTransition     = &Check{"dead-transition", Warning, "a row that is never taken, because its agent never finishes with its key"}
	PromptKey          = &Check{"prompt-key", Warning, "a prompt that names a key which is not legal, or none of those that are"}
	PromptWithoutTools = &Check{"prompt-without-tools", Warning, "a oneshot prompt asks for tools or finish"}
	LockedTool         = &Check{"locked-tool", Warning, "a prompt or a skill asks for a built-in tool that nothing unlocks"}
	PromptPlaceholder  = &Check{"prompt-placeholder", Warning, "a prompt has a placeholder of a template that nothing fills"}
	PromptSecret       = &Check{"prompt-secret", Error, "a source file contains something that looks like a credential"}

	ConstantGuard         = &Check{"constant-guard", Warning, "a condition, or a part of one, that is always true or never"}
	GuardType             = &Check{"guard-type", Error, "an operation on a value of a type that does not have it"}
	UndefinedVariable     = &Check{"undefined-variable", Error, "an expression or a template names what does not exist"}
	UnsupportedExpression = &Check{"unsupported-expression", Error, "an expression that the language does not have"}
	UnreadBeforeWritten   = &Check{"unread-before-written", Error, "a step's output is read where the step has not run yet"}
	UndefinedStepOutput   = &Check{"undefined-step-output", Error, "an expression or a template names a step that does not exist"}
	TemplateSyntax        = &Check{"template-syntax", Error, "a template with a placeholder or a block that cannot be read"}
	UnknownFilter         = &Check{"unknown-filter", Error, "a template names a filter that does not exist"}
	NumericText           = &Check{"numeric-text", Warning, "a text is compared with a number"}

	UndefinedImport   = &Check{"undefined-import", Error, "an import of a workflow that does not exist"}
	UnsupportedStep   = &Check{"unsupported-step", Error, "a kind of step, or a feature, that this language leaves out"}
	DanglingNextState = &Check{"dangling-next-state", Error, "a value of next_state that names no state"}

	UnhandledFailure = &Check{"unhandled-failure", Warning, "a state that can fail in a machine without a row for failures"}
	DeadBody         = &Check{"dead-body", Warning, "an end state with steps, which never run"}
	ContextMismatch  = &Check{"context-mismatch", Error, "a step's output that never fits the declared context"}
	UnusedOutput     = &Check{"unused-output", Warning, "a step's output that nothing reads"}
	ParallelConflict = &Check{"parallel-conflict", Error, "branches that write the same place, and no strategy for that"}
	ParallelRead     = &Check{"parallel-read", Warning, "a branch that reads what another one writes"}
	RetryUnsafe      = &Check{"retry-unsafe", Warning, "a retry that may do twice what must be done once"}

	StaleOutput       = &Check{"stale-output", Error, "a generated file differs from what its source gives"}
	EditedOutput      = &Check{"edited-output", Error, "a generated file was edited by hand"}
	OrphanOutput      = &Check{"orphan-output", Error, "a generated file that belongs to no source"}
	UnimplementedTool = &Check{"unimplemented-tool", Error, "typed tools, or functions of workflows, without Go that implements them"}

	DeprecatedForm = &Check{"deprecated-form", Warning, "accepted for compatibility"}
	BadIgnore      = &Check{"bad-ignore", Warning, "an ignore comment without a reason, or one that silences nothing"}
)

// Checks returns the catalogue in the order of the documentation.
func Checks() []*Check {
	return []*Check{
		Syntax, DuplicateKey, UnknownField, MissingField, WrongType, BadValue, UnusedField, SchemaUnsupported,
		InvalidName, NameMismatch, DuplicateName,
		UndefinedState, UndefinedInitial, UndefinedAgent, UndefinedSkill, UndefinedStep, UndefinedTool, ToolOff, UndefinedAction,
		UndefinedRole, UndefinedProvider, UnpricedModel, MaxCost, DeniedFlow, MarkerNearAgent,
		UnusedAgent, UnusedSkill, SkillFile, UnusedStepFile, UnusedConfig, UnpinnedServer, UnusedPin,
		UnreachableState, NoExit, BeyondBounds, CatchAllNotLast, DuplicateTransition, ShadowedTransition, NoElse, AmbiguousKey, UngatedTool,
		NoAllow, AgentCycle, UnroutedKey,
		DeadTransition, PromptKey, PromptWithoutTools, LockedTool, PromptPlaceholder, PromptSecret,
		ConstantGuard, GuardType, UndefinedVariable, UnsupportedExpression, UnreadBeforeWritten, UndefinedStepOutput,
		TemplateSyntax, UnknownFilter, NumericText,
		UndefinedImport, UnsupportedStep, DanglingNextState,
		UnhandledFailure, DeadBody, ContextMismatch, UnusedOutput, ParallelConflict, ParallelRead, RetryUnsafe,
		StaleOutput, EditedOutput, OrphanOutput, UnimplementedTool,
		DeprecatedForm, BadIgnore,
	}
}

// Lookup returns the check called name, or nil.
func Lookup(name string) *Check {
	for _, c := range Checks() {
		if c.Name == name {
			return c
		}
	}

	return nil
}
