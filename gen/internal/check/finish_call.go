package check

// finish is the word finish in a prompt, with the arguments in brackets behind it.
type finish struct {
	start, end int
	// args is where its arguments begin, past the bracket, and argsEnd where they end; 0 if it has none.
	args, argsEnd int
}

// isOther reports whether the prompt does not tell the model to call finish so.
func (f finish) isOther(prompt string) bool {
	before := prompt[max(0, f.start-refusedWithin):f.start]

	return isRefused(before) || isOthers(before) || isDenied(prompt[f.end:])
}

// maxArgs bounds the arguments of a call, and maxSentence what of a sentence is looked at before and behind a word, in bytes.
const (
	maxArgs     = 600
	maxSentence = 300
)

func finishesIn(prompt string) []finish {
	var found []finish
	for _, at := range wordsOf(prompt, "finish", "ing") {
		f := finish{start: at[0], end: at[1]}
		if open := opensCall.FindString(prompt[f.end:]); open != "" {
			f.args = f.end + len(open)
			f.argsEnd = f.args + argsLength(prompt[f.args:])
			f.end = min(f.argsEnd+1, len(prompt))
		}
		found = append(found, f)
	}

	return found
}

// argsLength returns how long the arguments of a call are whose text begins behind the bracket.
func argsLength(text string) int {
	depth, quote := 1, byte(0)
	for i := range min(len(text), maxArgs) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote || c == '\n' {
				quote = 0
			}
		case c == '"':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}

	return min(len(text), maxArgs)
}
