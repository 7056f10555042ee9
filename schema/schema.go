// Package schema holds the JSON Schemas (draft 2020-12) of the files that people write: what an editor completes from
// and what the compiler validates with.
//
// [Names] are the formats: agent (the frontmatter of AGENT.md), step (of a step file), skill (of SKILL.md), config
// (agentc.yaml), tama (tama.toml), workflow (a StateMachine YAML file), prices (prices.yaml), script (the answers that
// replace models in a run) and lock (agentc.lock,
// which agentc mcp pin writes). [Text] gives a schema.
//
// Beside the standard keywords a schema carries annotations that only the compiler reads:
//
//   - x-agentc-patterns: the patterns that use the field; elsewhere it is an unused-field error
//   - x-agentc-kinds: as x-agentc-patterns, for mappings that say with a field kind what they are
//   - x-agentc-needs: for a pattern, the field without which this one is not used
//   - x-agentc-unused: the field is known from older files but never used; the text says what to write instead
//   - x-agentc-harmless: the field does not change what runs: where it is not used, that is a warning instead of an error
//   - x-agentc-instead: what to write where the field is not used
//   - x-agentc-expect: what a value should look like, in words
//   - x-agentc-example: a value, as a person writes it
//   - x-agentc-lone: the entry of a mapping that is meant where its value is in place of the mapping
//   - x-agentc-synonyms: words of other languages for values that are allowed
//   - x-agentc-noun: what the entries of a mapping are called
//   - x-agentc-called: the fields by which a mapping in a list calls itself
//   - x-agentc-not: why a value is not allowed here
//   - x-agentc-unsupported: what to use instead of a field, or of each of some values, that this language leaves out
//   - x-agentc-count: how many entries a mapping may have, in words
//   - x-agentc-later: keywords that serve editors; a later stage of the compiler reports them
package schema

import "embed"

//go:embed *.json
var files embed.FS

// Names returns the names of the schemas in the order in which documentation lists them.
func Names() []string {
	return []string{"agent", "step", "skill", "config", "tama", "workflow", "prices", "script", "lock"}
}

// Text returns the schema called name, such as "agent"; ok is false if there is none.
func Text(name string) (text []byte, ok bool) {
	text, err := files.ReadFile(name + ".json")

	return text, err == nil
}
