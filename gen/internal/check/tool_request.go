package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// toolRequest is a part of a prompt that asks the model to call a tool. The offsets mark the tool's
// name, in bytes of the prompt.
type toolRequest struct {
	start, end int
	tool       string
}

var (
	// wantedName matches a verb and the name after it, with quotes.
	wantedName = regexp.MustCompile("^(?i:(call|calls|calling|invoke|invokes|invoking)|use|uses|using)\\s+(?:the\\s+)?(?:tool\\s+)?" +
		"([`*\"']*)([A-Za-z_][\\w-]*)")
	// byName matches a name of several words after a preposition: "Run ls with tama_bash".
	byName = regexp.MustCompile("\\b(?i:with|via|through)\\s+(?:the\\s+)?(?:tool\\s+)?[`*\"']*([A-Za-z]\\w*_\\w+)")
	// runBash matches the tool bash in prose; "use bash to write the script" means the language.
	runBash = regexp.MustCompile(`\b(?i:use|using|call|calling)\s+(bash)\s+to\s+(?:run|execute|call|invoke)\b`)
	// arguments matches what follows finish in a call, but not "finish(ed)".
	arguments = regexp.MustCompile(`^\(\s*(?:\)|key\b|value\b|["'<{])`)
)

// firstToolRequest returns the first request of a text for a tool that isWanted accepts. The tool
// of the result is empty if there is no such request. Results are cached by text.
func (u *unit) firstToolRequest(text string, isWanted func(name string) bool) toolRequest {
	found, known := u.toolCalls[text]
	if !known {
		found = findToolRequests(text)
		u.toolCalls[text] = found
	}
	return ir.First(found, func(c toolRequest) bool { return isWanted(c.tool) && !isRefused(text[:c.start]) })
}

// findToolRequests returns all requests for tools in a prompt. Everyday words that are names of
// tools too, such as finish, count only where they are written as a call.
func findToolRequests(prompt string) []toolRequest {
	var found []toolRequest
	add := func(c toolRequest) { found = append(found, c) }
	eachBracketed(prompt, add)
	eachWanted(prompt, add)
	each := func(names *regexp.Regexp, literal string) {
		if !strings.Contains(prompt, literal) { // without it there is no match
			return
		}
		for _, at := range names.FindAllStringSubmatchIndex(prompt, -1) {
			add(toolRequest{at[2], at[3], prompt[at[2]:at[3]]})
		}
	}
	each(byName, "_")
	each(runBash, "bash")
	slices.SortStableFunc(found, func(a, b toolRequest) int { return a.start - b.start })

	return found
}

// eachBracketed calls consider for each name that is followed by an opening bracket.
func eachBracketed(prompt string, consider func(toolRequest)) {
	for end := range prompt {
		if prompt[end] != '(' {
			continue
		}
		from := strings.LastIndexFunc(prompt[:end], func(r rune) bool { return r != '-' && !isNameRune(r) }) + 1
		name := strings.TrimLeft(prompt[from:end], "-0123456789")
		method := strings.HasSuffix(prompt[:from], ".")
		if name != "" && !method && isCall(name, prompt[end:]) {
			consider(toolRequest{end - len(name), end, name})
		}
	}
}

// eachWanted calls consider for each name after a verb that asks for it.
func eachWanted(prompt string, consider func(toolRequest)) {
	for i := range prompt {
		if strings.IndexByte("cCiIuU", prompt[i]) < 0 || i > 0 && isNameRune(rune(prompt[i-1])) {
			continue // no verb begins here
		}
		at := wantedName.FindStringSubmatchIndex(prompt[i:])
		if at == nil {
			continue
		}
		found := toolRequest{i + at[6], i + at[7], prompt[i+at[6] : i+at[7]]}
		called, quoted := at[2] >= 0, at[4] < at[5]
		named := strings.Contains(found.tool, "_") || strings.HasPrefix(prompt[found.end:], " tool")
		if quoted || named || called && found.tool == "finish" {
			consider(found)
		}
	}
}

// isNameRune reports whether a rune can be inside a name or a verb.
func isNameRune(r rune) bool {
	isDigit := '0' <= r && r <= '9'
	isUpper := 'A' <= r && r <= 'Z'
	isLower := 'a' <= r && r <= 'z'

	return isDigit || isUpper || isLower || r == '_'
}

// isCall reports whether the text after a name makes it a call. The tool start has no arguments,
// and finish( also begins other words.
func isCall(name, rest string) bool {
	switch name {
	case "start":
		return strings.HasPrefix(rest, "()")
	case "finish":
		return arguments.MatchString(rest)
	}

	return true
}
