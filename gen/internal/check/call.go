package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// call is a place in a prompt that asks a model to call a tool: the name of the tool, in bytes of the prompt.
type call struct {
	start, end int
	tool       string
}

var (
	// wantedName is a name behind a verb, and the quotes in which it is.
	wantedName = regexp.MustCompile("^(?i:(call|calls|calling|invoke|invokes|invoking)|use|uses|using)\\s+(?:the\\s+)?(?:tool\\s+)?" +
		"([`*\"']*)([A-Za-z_][\\w-]*)")
	// byName is a name of several words behind what says that it is the means: "Run ls with tama_bash".
	byName = regexp.MustCompile("\\b(?i:with|via|through)\\s+(?:the\\s+)?(?:tool\\s+)?[`*\"']*([A-Za-z]\\w*_\\w+)")
	// runBash is bash as a tool in plain words; "use bash to write the script" asks for a language.
	runBash = regexp.MustCompile(`\b(?i:use|using|call|calling)\s+(bash)\s+to\s+(?:run|execute|call|invoke)\b`)
	// arguments are what is behind finish( where it is a call, and not "finish(ed)".
	arguments = regexp.MustCompile(`^\(\s*(?:\)|key\b|value\b|["'<{])`)
)

// firstCall returns the first place in a text that asks for a tool whose name is wanted; its tool is empty if there is none. Of a text
// the places are found once.
func (u *unit) firstCall(text string, wanted func(name string) bool) call {
	found, known := u.toolCalls[text]
	if !known {
		found = callsIn(text)
		u.toolCalls[text] = found
	}
	return ir.First(found, func(c call) bool { return wanted(c.tool) && !isRefused(text[:c.start]) })
}

// callsIn returns the places in a prompt that ask for a tool, whatever its name is. Words that are names of tools and words of
// every day, such as finish, count only where they are written as a call.
func callsIn(prompt string) []call {
	var found []call
	add := func(c call) { found = append(found, c) }
	eachBracketed(prompt, add)
	eachWanted(prompt, add)
	each := func(names *regexp.Regexp, literal string) {
		if !strings.Contains(prompt, literal) { // without it there is no match
			return
		}
		for _, at := range names.FindAllStringSubmatchIndex(prompt, -1) {
			add(call{at[2], at[3], prompt[at[2]:at[3]]})
		}
	}
	each(byName, "_")
	each(runBash, "bash")
	slices.SortStableFunc(found, func(a, b call) int { return a.start - b.start })

	return found
}

// eachBracketed calls consider for each name that is called by a bracket behind it.
func eachBracketed(prompt string, consider func(call)) {
	for end := range prompt {
		if prompt[end] != '(' {
			continue
		}
		from := strings.LastIndexFunc(prompt[:end], func(r rune) bool { return r != '-' && !isNameRune(r) }) + 1
		name := strings.TrimLeft(prompt[from:end], "-0123456789")
		method := strings.HasSuffix(prompt[:from], ".")
		if name != "" && !method && isCall(name, prompt[end:]) {
			consider(call{end - len(name), end, name})
		}
	}
}

// eachWanted calls consider for each name behind a verb that asks for it.
func eachWanted(prompt string, consider func(call)) {
	for i := range prompt {
		if strings.IndexByte("cCiIuU", prompt[i]) < 0 || i > 0 && isNameRune(rune(prompt[i-1])) {
			continue // no verb begins here
		}
		at := wantedName.FindStringSubmatchIndex(prompt[i:])
		if at == nil {
			continue
		}
		found := call{i + at[6], i + at[7], prompt[i+at[6] : i+at[7]]}
		called, quoted := at[2] >= 0, at[4] < at[5]
		named := strings.Contains(found.tool, "_") || strings.HasPrefix(prompt[found.end:], " tool")
		if quoted || named || called && found.tool == "finish" {
			consider(found)
		}
	}
}

// isNameRune reports whether a name, or a verb, can have it in its midst.
func isNameRune(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
}

// isCall reports whether a name is called by what follows it. A start takes no arguments; finish( begins other words too.
func isCall(name, rest string) bool {
	switch name {
	case "start":
		return strings.HasPrefix(rest, "()")
	case "finish":
		return arguments.MatchString(rest)
	}

	return true
}
