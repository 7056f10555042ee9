package check

import (
	"regexp"
	"slices"
	"strings"
)

// others is what stands before a finish that is not the model's own: "the editor calls", "it may", "the workers", "for it
// to", "agents, which", "the writer's", "was handed over with", "formerly".
var others = regexp.MustCompile("(?i)(?:\\bcall(?:s|ed)|(?:^|[^u\\s])\\s+(?:will|would|can|could|may|might|did|does)(?:\\s+call)?|" +
	"\\b(?:the|all|both|other|most|some|those|these)\\s+\\w+s|\\bfor\\s[^.,;:]{0,30}\\sto|" +
	"\\b(?:I|they|he|she|who|which|(?:agents|workers|ones|those)\\s+that)(?:\\s+call)?|\\b(?:\\w*[^e\\W]t|\\w*[^t\\W])['’]s|" +
	"\\b(?:was|were|been|comes?|came|arrive[sd]?)\\s+[^.,;:]{0,30}\\b(?:with|by|from|through|via)|" +
	"\\b(?:formerly|previously|once|earlier|used))\\s+[`*]*$")

// leadsToOthers are the words with which a text that others matches can end, beside those in s.
var leadsToOthers = []string{
	"called", "will", "would", "can", "could", "may", "might", "did", "to", "i", "they", "he", "she", "who", "which", "that",
	"with", "by", "from", "through", "via", "formerly", "previously", "once", "earlier", "used",
}

// isOthers reports whether what stands before a finish says that others call it. The pattern is slow, and most prompts say
// "call finish" to the model.
func isOthers(before string) bool {
	words := strings.Fields(strings.ToLower(strings.TrimRight(before, "`* \n")))
	if n := len(words); n > 0 && words[n-1] == "call" {
		words = words[:n-1]
	}
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]

	return (strings.HasSuffix(last, "s") || slices.Contains(leadsToOthers, last)) && others.MatchString(before)
}
