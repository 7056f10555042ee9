package trace

import (
	"encoding/json"
	"strings"
)

// thoughtsOf returns what a model thought before it answered, if its provider keeps that with the reply, to send it
// back: blocks of the type "thinking" in a list of the JSON that follows the provider's name.
func thoughtsOf(carry string) string {
	var lists map[string][]json.RawMessage
	at := strings.IndexByte(carry, '{')
	if at < 0 || json.Unmarshal([]byte(carry[at:]), &lists) != nil {
		return ""
	}
	var texts []string
	for _, raw := range lists["anthropic"] {
		var block struct{ Type, Thinking string }
		switch _ = json.Unmarshal(raw, &block); block.Type { // texts and numbers of calls are no blocks
		case "thinking":
			texts = append(texts, block.Thinking)
		case "redacted_thinking":
			texts = append(texts, "(hidden by the provider)")
		}
	}

	return strings.Join(texts, "\n\n")
}
