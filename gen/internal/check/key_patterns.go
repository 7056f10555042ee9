package check

import "regexp"

// The patterns match the text before or after a word, never a whole prompt.
var (
	// opensCall matches between the word finish and its arguments.
	opensCall = regexp.MustCompile("^[`*]*\\(")
	// ought matches before a finish that may belong to a text: "the letter must finish with".
	ought = regexp.MustCompile(`(?i)(?:^|[^u\s])\s+(?:must|should|shall|has to|have to|needs? to)\s+$`)
	// means matches between the word key and its value.
	means = regexp.MustCompile("(?i)^(?:[\"'`]?\\s*[=:]\\s*|\\s+(?:is|being|must be|should be|set to|called|named)\\s+|\\s+)")
	// assigns is like means where only a parameter is possible.
	assigns = regexp.MustCompile("^[\"'`]?\\s*[=:]\\s*")
	// begins matches between the word keys and the first key of a list.
	begins = regexp.MustCompile(`(?i)^(?:\s+(?:are|is|below|here|to choose from|for finish|you may use|you can use))?` +
		`\s*[:(=]?\s*(?:either\s+|one of\s+)?`)
	// with matches between the word finish and a possible key.
	with = regexp.MustCompile("(?i)^[`*'\")]*\\s+(?:with|as|using)\\s+(?:(?:either|one of)\\s+)?(?:the following\\s+)?:?\\s*")
	// withKey matches after the word finish if the next key of the sentence belongs to the call.
	// toKey matches all text between finish and a key with an equals sign or a colon: finish
	// key="x".
	withKey = regexp.MustCompile("(?i)^[`*'\"]*(?:,?\\s+(?:tool\\s+)?(?:once\\s+)?(?:with|using|under|and|by)\\b|\\s*[(:—-])")
	toKey   = regexp.MustCompile("(?i)^[`*'\"]*(?:\\s+tool)?\\s*[,(:—-]?\\s*$")
	// ofFinish matches after a key that is followed by its call.
	ofFinish = regexp.MustCompile("(?i)^[`*\"'”’»]*\\s+(?:in|of|when\\s+you\\s+call|when\\s+calling)\\s+(?:the\\s+)?[`*]*finish\\b")
	// asKey matches after a text that is a key.
	asKey = regexp.MustCompile(`(?i)^\s+as\s+(?:the\s+|its\s+|your\s+)?key\b`)
	// inValue matches after a text that is not a key.
	inValue = regexp.MustCompile(`(?i)^\s+(?:in|as|for)\s+(?:the\s+|its\s+|your\s+|a\s+)?value\b`)
	// or matches between two keys of a list.
	or = regexp.MustCompile(`(?i)^\s*(?:,?\s*\b(?:or|and)\b|[,/|])\s*`)
	// orInCall is like or in a call, where a comma begins the next argument.
	orInCall = regexp.MustCompile(`(?i)^\s*(?:\bor\b|[/|])\s*`)
	// orElse is like or after "finish with", where "and" introduces the value.
	orElse = regexp.MustCompile(`(?i)^\s*(?:,?\s*\bor\b|[,/|])\s*`)
	// refusedKey matches before a key that the prompt forbids.
	refusedKey = regexp.MustCompile(`(?i)(?:[^f]\s+not\b|\b(?:never|cannot|no|without|unlike|avoid|instead of|rather than)|n['’]t)\b[^,;:.]{0,24}$`)
	// ofValue matches before the keys of a value: "a value with the keys". If the group is not
	// empty, the key belongs to finish: "the text as the value with the key".
	ofValue = regexp.MustCompile(`(?i)(\bas\s+(?:the\s+|its\s+)?)?\b(?:values?|json|objects?|dict(?:ionary)?|map|yaml)\s+` +
		`(?:(?:that|which)\s+)?(?:with|has|have|having|holds?|contains?|containing|needs?)\s+(?:\w+\s+){0,3}$`)
	// foreign matches words before a key of something else.
	foreign = regexp.MustCompile(`(?i)\b(?:memory|memories|mem|stor(?:e|es|ed|ing|age)|stash|sav(?:e|es|ed|ing)|reads?|reading|` +
		`writ(?:e|es|ing|ten)|sets?|setting|gets?|getting|fetch|look(?:s|ing)?(?: up)?|lookup|append|entry|entries|` +
		`json|yaml|toml|csv|objects?|dict|dictionary|maps?|mapping|fields?|propert(?:y|ies)|attributes?|` +
		`api|env|environment|config|configuration|settings?|secret|access|primary|foreign|public|private|cache|redis|bucket|` +
		`tables?|columns?|rows?|database|db|index|records?|headers?|query|param|params|parameters?|` +
		`press|hit|tap|keyboard|music|musical|major|minor|encryption|license|sort|partition|hash|translation|session|previous|earlier|former)\b|\w_\w*\(?`)
)
