package check

import "regexp"

// The patterns are matched against what is before or behind a word, never against a whole prompt.
var (
	// opensCall is what is between the word finish and its arguments.
	opensCall = regexp.MustCompile("^[`*]*\\(")
	// ought is what is before a finish that may be that of a text: "the letter must finish with".
	ought = regexp.MustCompile(`(?i)(?:^|[^u\s])\s+(?:must|should|shall|has to|have to|needs? to)\s+$`)
	// means is what is between the word key and its value.
	means = regexp.MustCompile("(?i)^(?:[\"'`]?\\s*[=:]\\s*|\\s+(?:is|being|must be|should be|set to|called|named)\\s+|\\s+)")
	// assigns is the same where only a parameter can be.
	assigns = regexp.MustCompile("^[\"'`]?\\s*[=:]\\s*")
	// begins is what is between the word keys and the first of a list.
	begins = regexp.MustCompile(`(?i)^(?:\s+(?:are|is|below|here|to choose from|for finish|you may use|you can use))?` +
		`\s*[:(=]?\s*(?:either\s+|one of\s+)?`)
	// with is what is between the word finish and something that may be a key.
	with = regexp.MustCompile("(?i)^[`*'\")]*\\s+(?:with|as|using)\\s+(?:(?:either|one of)\\s+)?(?:the following\\s+)?:?\\s*")
	// withKey is what is behind the word finish where the key that follows in its sentence is that of the call, and
	// toKey all that may be between it and a key with an equals sign or a colon: finish key="x".
	withKey = regexp.MustCompile("(?i)^[`*'\"]*(?:,?\\s+(?:tool\\s+)?(?:once\\s+)?(?:with|using|under|and|by)\\b|\\s*[(:—-])")
	toKey   = regexp.MustCompile("(?i)^[`*'\"]*(?:\\s+tool)?\\s*[,(:—-]?\\s*$")
	// ofFinish is what is behind a key of a call that is named after it.
	ofFinish = regexp.MustCompile("(?i)^[`*\"'”’»]*\\s+(?:in|of|when\\s+you\\s+call|when\\s+calling)\\s+(?:the\\s+)?[`*]*finish\\b")
	// asKey is what is behind something that is a key then.
	asKey = regexp.MustCompile(`(?i)^\s+as\s+(?:the\s+|its\s+|your\s+)?key\b`)
	// inValue is what is behind something that is none.
	inValue = regexp.MustCompile(`(?i)^\s+(?:in|as|for)\s+(?:the\s+|its\s+|your\s+|a\s+)?value\b`)
	// or is what is between two keys of a list.
	or = regexp.MustCompile(`(?i)^\s*(?:,?\s*\b(?:or|and)\b|[,/|])\s*`)
	// orInCall is the same in a call, where a comma begins the next argument.
	orInCall = regexp.MustCompile(`(?i)^\s*(?:\bor\b|[/|])\s*`)
	// orElse is the same behind finish with, where an "and" is followed by the value.
	orElse = regexp.MustCompile(`(?i)^\s*(?:,?\s*\bor\b|[,/|])\s*`)
	// refusedKey is what is before a key that the prompt forbids the model to use.
	refusedKey = regexp.MustCompile(`(?i)(?:[^f]\s+not\b|\b(?:never|cannot|no|without|unlike|avoid|instead of|rather than)|n['’]t)\b[^,;:.]{0,24}$`)
	// ofValue is what is before the keys of a value: "a value with the keys". Where the group is not empty it is
	// before one of finish: "the text as the value with the key".
	ofValue = regexp.MustCompile(`(?i)(\bas\s+(?:the\s+|its\s+)?)?\b(?:values?|json|objects?|dict(?:ionary)?|map|yaml)\s+` +
		`(?:(?:that|which)\s+)?(?:with|has|have|having|holds?|contains?|containing|needs?)\s+(?:\w+\s+){0,3}$`)
	// foreign are words before a key of something else.
	foreign = regexp.MustCompile(`(?i)\b(?:memory|memories|mem|stor(?:e|es|ed|ing|age)|stash|sav(?:e|es|ed|ing)|reads?|reading|` +
		`writ(?:e|es|ing|ten)|sets?|setting|gets?|getting|fetch|look(?:s|ing)?(?: up)?|lookup|append|entry|entries|` +
		`json|yaml|toml|csv|objects?|dict|dictionary|maps?|mapping|fields?|propert(?:y|ies)|attributes?|` +
		`api|env|environment|config|configuration|settings?|secret|access|primary|foreign|public|private|cache|redis|bucket|` +
		`tables?|columns?|rows?|database|db|index|records?|headers?|query|param|params|parameters?|` +
		`press|hit|tap|keyboard|music|musical|major|minor|encryption|license|sort|partition|hash|translation|session|previous|earlier|former)\b|\w_\w*\(?`)
)
