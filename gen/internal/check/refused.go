package check

import (
	"regexp"
	"slices"
	"strings"
)

// refusedWithin is how many bytes before and behind a call are looked at for words that forbid it.
const refusedWithin = 80

var (
	// refusing are words before a call that the prompt forbids the model to make, and refusingWith those that do so
	// together with the word before them.
	refusing = []string{
		"not", "never", "cannot", "unlike", "avoid", "forbidden", "prohibited",
		"nicht", "nie", "niemals", "ohne", "pas", "jamais", "sans", "nunca", "jamás", "sin", "não", "sem", "non", "mai", "senza",
	}
	refusingWith = map[string][]string{
		"of": {"instead"}, "than": {"rather"}, "from": {"refrain"}, "no": {"is", "are", "has", "have"},
		"uses": {"no", "nunca"}, "llames": {"no", "nunca"}, "usar": {"no", "nunca"}, "llamar": {"no", "nunca"},
	}
	// passed are words that may be between those and the call.
	passed = []string{
		"ever", "try", "to", "the", "tool", "call", "calling", "use", "using", "invoke", "invoking",
		"allowed", "supposed", "permitted", "meant", "able", "longer",
		"mit", "auf", "avec", "appeler", "utiliser", "usare", "chiamare",
	}
	// refusedInChinese is the same where no spaces are between words.
	refusedInChinese = regexp.MustCompile(`(?:不要|不得|不能|不可|禁止|勿|别)[^。，；：、！？\s]{0,4}\s*$`)
	// denied is what is behind a call, or a key, that the prompt calls wrong, and behind one that is no longer made.
	denied = regexp.MustCompile(`(?i)^\s+(?:` +
		`(?:is|are|would\s+be)\s+(?:also\s+|always\s+)?(?:` +
		`(?:not|no\s+longer|never)\s+(?:allowed|valid|possible|available|permitted|supported|legal|an?\s+option|known|right|used|taken)|` +
		`an?\s+(?:error|mistake)|(?:wrong|invalid|illegal|forbidden|prohibited|incorrect|impossible)\b)|` +
		`(?:must|should|may|can|could)\s*(?:not|never|n['’]t)\b|can['’]t\b|(?:isn|aren)['’]t\b|` +
		`do(?:es)?(?:\s+not|n['’]t)\s+(?:exist|work|count)|(?:no\s+longer\s+exist|was|were|(?:has|have|had)\s+been)\b)`)
	// deniedElsewhere is the same in languages other than English.
	deniedElsewhere = regexp.MustCompile(`(?i)^(?:\s+(?:` +
		`(?:ist|darf|dürfen)\s+(?:nicht|nie|verboten|falsch|ungültig)\b|nicht\b|niemals\b|` +
		`(?:est|es|está|é|è)\s+(?:interdit|faux|prohibid|incorrect|vietat|proibid)|n['’](?:est|existe)\s+pas\b|no\s+existe\b)|` +
		`\s*(?:は|を)[^。、！？\n]{0,12}(?:ない|禁止|不可))`)
)

// isRefused reports whether what is before a call tells the model not to make it.
func isRefused(before string) bool {
	before = strings.TrimRight(before[max(0, len(before)-refusedWithin):], "`*\"'")
	if strings.HasSuffix(before, "~~") || strings.HasSuffix(strings.TrimRight(before, " "), "❌") ||
		refusedInChinese.MatchString(before) {
		return true
	}

	words := strings.Fields(strings.ToLower(before))
	for len(words) > 0 && slices.Contains(passed, words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return false
	}
	last := len(words) - 1
	switch word := words[last]; {
	case isRefusing(word):
		return true
	case word == "without": // but "do not stop without calling finish"
		return !slices.ContainsFunc(clauseEnd(words[:last]), isRefusing)
	default:
		return last > 0 && slices.Contains(refusingWith[word], words[last-1])
	}
}

func isRefusing(word string) bool {
	word = strings.TrimLeft(word, "(`*\"'“")

	return slices.Contains(refusing, word) || strings.HasSuffix(word, "n't") || strings.HasSuffix(word, "n’t")
}

// clauseEnd returns the last words behind which no clause ends.
func clauseEnd(words []string) []string {
	ends := func(word string) bool { return strings.ContainsAny(word[len(word)-1:], ".,;:!?") }
	for i, word := range slices.Backward(words) {
		if ends(word) {
			return words[i+1:]
		}
	}

	return words
}

// isDenied reports whether what is behind a call or a key says that it is wrong.
func isDenied(behind string) bool {
	behind = strings.TrimLeft(behind[:min(len(behind), refusedWithin)], closing)

	return denied.MatchString(behind) || deniedElsewhere.MatchString(behind)
}

// others is what is before a finish that is not the model's own: "the editor calls", "it may", "the workers", "for it
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

// isOthers reports whether what is before a finish says that others call it. The pattern is slow, and most prompts say
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
