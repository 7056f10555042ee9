package runtime

import "strings"

// Finish is the result of an agent.
type Finish struct {
	// Key routes, as the agent gave it.
	Key string
	// Value is the text, or JSON byte for byte if JSON is set.
	Value string
	JSON  bool
	// Synthetic says that plain text was taken as an implicit finish.
	Synthetic bool
	// Context is the final context of a workflow, a JSON object; "" if that is empty, or what finished is no workflow.
	Context string
}

// Match says how a row was found.
type Match string

// How a row was found.
const (
	MatchNone          Match = ""
	MatchExact         Match = "exact"
	MatchFolded        Match = "folded"
	MatchCatchAll      Match = "catch-all"
	MatchUnconditional Match = "unconditional"
	MatchGuard         Match = "guard"
)

// FoldKey returns key as rows are compared the second time: trimmed and lower-cased. A folded key is returned as it is,
// without allocating.
func FoldKey(key string) string {
	return strings.ToLower(strings.TrimSpace(key))
}
