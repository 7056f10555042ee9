package check

import (
	"regexp"
	"strings"
)

// refusedWithin is the number of bytes around a call in which a word can forbid it.
const refusedWithin = 80

var (
	// refusing matches words before a call that the prompt forbids.
	refusing = regexp.MustCompile("(?i)" + refusingWord + `(?:\s+(?:ever|try|to|the|tool|call|calling|use|using|invoke|invoking|` +
		`allowed|supposed|permitted|meant|able|longer|mit|auf|avec|appeler|utiliser|usare|chiamare))*\s*$`)
	// without forbids a call unless another such word precedes it: "do not stop without calling
	// finish".
	without = regexp.MustCompile(`(?i)(?:^|[.,;:!?]\s)([^.,;:!?]*(?:[.,;:!?]\S[^.,;:!?]*)*)\swithout(?:\s+(?:ever|calling|using|invoking|the|tool))*\s*$`)
	// refuses finds a word that forbids something anywhere.
	refuses = regexp.MustCompile("(?i)" + refusingWord + `(?:\s|$)`)
	// refusedInChinese is like refusing for a language without spaces between words.
	refusedInChinese = regexp.MustCompile(`(?:不要|不得|不能|不可|禁止|勿|别)[^。，；：、！？\s]{0,4}\s*$`)
	// denied matches after a call or a key that the prompt declares wrong or out of date.
	denied = regexp.MustCompile(`(?i)^(?:\s+(?:` +
		`(?:is|are|would\s+be)\s+(?:also\s+|always\s+)?(?:` +
		`(?:not|no\s+longer|never)\s+(?:allowed|valid|possible|available|permitted|supported|legal|an?\s+option|known|right|used|taken)|` +
		`an?\s+(?:error|mistake)|(?:wrong|invalid|illegal|forbidden|prohibited|incorrect|impossible)\b)|` +
		`(?:must|should|may|can|could)\s*(?:not|never|n['’]t)\b|can['’]t\b|(?:isn|aren)['’]t\b|` +
		`do(?:es)?(?:\s+not|n['’]t)\s+(?:exist|work|count)|(?:no\s+longer\s+exist|was|were|(?:has|have|had)\s+been)\b|` +
		// other languages than English
		`(?:ist|darf|dürfen)\s+(?:nicht|nie|verboten|falsch|ungültig)\b|nicht\b|niemals\b|` +
		`(?:est|es|está|é|è)\s+(?:interdit|faux|prohibid|incorrect|vietat|proibid)|n['’](?:est|existe)\s+pas\b|no\s+existe\b)|` +
		`\s*(?:は|を)[^。、！？\n]{0,12}(?:ない|禁止|不可))`)
	// others matches before a finish that is not the model's own: "the editor calls", "it may",
	// "the workers", "for it to", "agents, which", "the writer's", "was handed over with",
	// "formerly".
	others = regexp.MustCompile("(?i)(?:\\bcall(?:s|ed)|(?:^|[^u\\s])\\s+(?:will|would|can|could|may|might|did|does)(?:\\s+call)?|" +
		"\\b(?:the|all|both|other|most|some|those|these)\\s+\\w+s|\\bfor\\s[^.,;:]{0,30}\\sto|" +
		"\\b(?:I|they|he|she|who|which|(?:agents|workers|ones|those)\\s+that)(?:\\s+call)?|\\b(?:\\w*[^e\\W]t|\\w*[^t\\W])['’]s|" +
		"\\b(?:was|were|been|comes?|came|arrive[sd]?)\\s+[^.,;:]{0,30}\\b(?:with|by|from|through|via)|" +
		"\\b(?:formerly|previously|once|earlier|used))\\s+[`*]*$")
)

// refusingWord matches one or two words that forbid the following text.
const refusingWord = "(?:(?:^|\\s)[(`*\"'“]*(?:not|never|cannot|unlike|avoid|forbidden|prohibited|instead\\s+of|rather\\s+than|refrain\\s+from|" +
	"(?:is|are|has|have)\\s+no|nicht|nie|niemals|ohne|pas|jamais|sans|nunca|jamás|sin|não|sem|non|mai|senza|" +
	"(?:no|nunca)\\s+(?:uses|llames|usar|llamar))|n['’]t)"

// clauseEnd returns the text after the last character that ends a clause.
func clauseEnd(text string) string { return text[strings.LastIndexAny(text, ".,;:")+1:] }

// isRefused reports whether the text before a call forbids it.
func isRefused(before string) bool {
	before = strings.TrimRight(before[max(0, len(before)-refusedWithin):], "`*\"'")
	isCrossedOut := strings.HasSuffix(before, "~~") || strings.HasSuffix(strings.TrimRight(before, " "), "❌")
	if isCrossedOut || refusedInChinese.MatchString(before) || refusing.MatchString(clauseEnd(before)) {
		return true
	}
	if !strings.Contains(before, "ithout") { // a fast test that nearly always suffices
		return false
	}
	clause := without.FindStringSubmatch(before)

	return clause != nil && !refuses.MatchString(clause[1])
}

// isDenied reports whether the text after a call or a key declares it wrong.
func isDenied(behind string) bool {
	return denied.MatchString(strings.TrimLeft(behind[:min(len(behind), refusedWithin)], closing))
}
