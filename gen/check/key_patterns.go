package check

import "regexp"

// The patterns are matched against what stands before or behind a word, never against a whole prompt.
var (
	// opensCall is what stands between the word finish and its arguments.
	opensCall = regexp.MustCompile("^[`*]*\\(")
	// others is what stands before a finish that is not the model's own: "the editor calls", "it may", "the workers", "for it
	// to".
	others = regexp.MustCompile("(?i)(?:\\bcall(?:s|ed)|(?:^|[^u\\s])\\s+(?:will|would|can|could|may|might|did|does)(?:\\s+call)?|" +
		"\\b(?:the|all|both|other|most|some|those|these)\\s+\\w+s|\\bfor\\s[^.,;:]{0,30}\\sto)\\s+[`*]*$")
	// avoided is what stands before a finish that another one is better than.
	avoided = regexp.MustCompile("(?i)\\b(?:instead of|rather than|avoid)(?:\\s+calling)?\\s+[`*]*$")
	// means is what stands between the word key and its value.
	means = regexp.MustCompile("(?i)^(?:[\"'`]?\\s*[=:]\\s*|\\s+(?:is|being|must be|should be|set to|called|named)\\s+|\\s+)")
	// assigns is the same where only a parameter can stand.
	assigns = regexp.MustCompile("^[\"'`]?\\s*[=:]\\s*")
	// begins is what stands between the word keys and the first of a list.
	begins = regexp.MustCompile(`(?i)^(?:\s+(?:are|is|below|here|to choose from|for finish|you may use|you can use))?` +
		`\s*[:(=]?\s*(?:either\s+|one of\s+)?`)
	// with is what stands between the word finish and something that may be a key.
	with = regexp.MustCompile("(?i)^[`*'\")]*\\s+(?:with|as|using)\\s+(?:(?:either|one of)\\s+)?(?:the following\\s+)?:?\\s*")
	// withKey is what stands behind the word finish where the key that follows in its sentence is that of the call.
	withKey = regexp.MustCompile("(?i)^[`*'\"]*(?:,?\\s+(?:tool\\s+)?(?:once\\s+)?(?:with|using|under|and|by)\\b|\\s*[(:—-])")
	// asKey is what stands behind something that is a key then.
	asKey = regexp.MustCompile(`(?i)^\s+as\s+(?:the\s+|its\s+|your\s+)?key\b`)
	// or is what stands between two keys of a list.
	or = regexp.MustCompile(`(?i)^\s*(?:,?\s*\b(?:or|and)\b|[,/|])\s*`)
	// orInCall is the same in a call, where a comma begins the next argument.
	orInCall = regexp.MustCompile(`(?i)^\s*(?:\bor\b|[/|])\s*`)
	// refusedKey is what stands before a key that the prompt tells the model not to use.
	refusedKey = regexp.MustCompile(`(?i)(?:\b(?:not|never|no|without)|n['’]t)\b[^,;:.]{0,24}$`)
	// foreign are words before a key of something else.
	foreign = regexp.MustCompile(`(?i)\b(?:memory|memories|mem|stor(?:e|es|ed|ing|age)|stash|sav(?:e|es|ed|ing)|reads?|reading|` +
		`writ(?:e|es|ing|ten)|sets?|setting|gets?|getting|fetch|look(?:s|ing)?(?: up)?|lookup|append|entry|entries|` +
		`json|yaml|toml|csv|objects?|dict|dictionary|maps?|mapping|fields?|propert(?:y|ies)|attributes?|` +
		`api|env|environment|config|configuration|settings?|secret|access|primary|foreign|public|private|cache|redis|bucket|` +
		`tables?|columns?|rows?|database|db|index|records?|headers?|query|param|params|parameters?|` +
		`press|hit|tap|keyboard|music|musical|major|minor|encryption|license|sort|partition|hash|translation|session)\b|\w_\w*\(?`)
)
