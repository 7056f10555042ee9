package rt

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// callWord is what a mark of a call counts as, among the words of a line.
const callWord = "call"

var (
	// markWords are the words of which marks of calls are made.
	markWords = []string{"action", callWord, "calls", "function", "functions", "invoke", "plugin", "tool", "tools"}
	// callWords are the words behind which a line that ends with the name of a tool is a call.
	callWords = append([]string{"calling", "execute", "invoking", "run", "running", "use", "using"}, markWords...)
	// announcing are the words by which a model announces what it is about to do: I will, I'll, let
	// me, I am going to.
	announcing = []string{"calling", "going", "let", "ll", "will"}
)

// namesCall reports whether a mark is made of words that speak of calls, such as tool_call,
// minimax:tool_call and TOOL_REQUEST.
func namesCall(mark string) bool {
	for word := range strings.FieldsFuncSeq(mark, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if slices.Contains(markWords, strings.ToLower(word)) {
			return true
		}
	}

	return false
}

// markEnd is where a mark ends with which a text begins: <tag …>, <|mark|>, ◁mark▷ or [MARK]; 0
// without one.
func markEnd(text string) int {
	const longest = 300
	text = text[:min(len(text), longest)]
	switch {
	case strings.HasPrefix(text, "◁"):
		return strings.Index(text, "▷") + len("▷")
	case strings.HasPrefix(text, "["):
		name := strings.TrimLeftFunc(text[1:], func(r rune) bool { return r >= 'A' && r <= 'Z' || r == '_' || r == '/' })
		if length := len(text) - 1 - len(name); length >= 2 && strings.HasPrefix(name, "]") {
			return 1 + length + 1
		}
	case strings.HasPrefix(text, "<"):
		first, _ := utf8.DecodeRuneInString(text[1:])
		end := strings.IndexAny(text[1:], "<>\n")
		if (unicode.IsLetter(first) || strings.ContainsRune("/|｜", first)) && end >= 0 && text[1+end] == '>' {
			return 1 + end + 1
		}
	}

	return 0
}

// splitMark is the name of a mark, and what else it holds: <invoke name="start"> is invoke and
// name="start", <function=start> is function and start.
func splitMark(mark string) (name, inside string, closes bool) {
	mark = strings.Trim(mark, "<>[]◁▷")
	mark, closes = strings.CutPrefix(mark, "/")
	if end := strings.IndexAny(mark, " =\t"); end >= 0 && !strings.ContainsAny(mark[:1], "|｜") {
		return mark[:end], mark[end+1:], closes
	}

	return strings.TrimRight(mark, "/"), "", closes
}

// marksLength is the length of what may be between the name of a tool and its arguments: marks,
// quotes, fences, space, and the number of the call.
func marksLength(text string) int {
	at := 0
	for at < len(text) {
		rest := text[at:]
		line, _, _ := strings.Cut(rest, "\n")
		switch {
		case markEnd(rest) > 0:
			at += markEnd(rest)
		case strings.HasPrefix(rest, "```") && isFence(line):
			at += len(line)
		case strings.HasPrefix(rest, "json"): // the form of arguments in the harmony format
			at += len("json")
		case strings.IndexByte(" \t\r\n\"'`*", rest[0]) >= 0:
			at++
		case rest[0] == ':' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
			at += 1 + len(rest[1:]) - len(strings.TrimLeft(rest[1:], "0123456789"))
		default:
			return at
		}
	}

	return at
}

// arrowBeforeObject returns the length of an arrow with the space after it, which some models write
// between the name of a tool and an object of arguments. It returns 0 without an arrow or an object.
func arrowBeforeObject(text string) int {
	for _, arrow := range []string{"=>", "->", ">", "="} {
		rest, isArrow := strings.CutPrefix(text, arrow)
		rest = strings.TrimLeft(rest, " \t\r\n")
		if isArrow && strings.HasPrefix(rest, "{") {
			return len(text) - len(rest)
		}
	}

	return 0
}

// hasNameForm reports whether the name of a tool has a form that no word of a language has: it has
// an underscore or a dot, or a capital within it.
func hasNameForm(name string) bool {
	before := ' '
	for _, r := range name {
		if r == '_' || r == '.' || unicode.IsUpper(r) && unicode.IsLower(before) {
			return true
		}
		before = r
	}

	return false
}

// isUnlikeWord reports whether the name of a tool says by itself, with arguments behind it, that a
// call is meant: no other tool is called finish, and other names have a form of their own.
func isUnlikeWord(name string) bool { return name == toolFinish || hasNameForm(name) }

// argumentsLength is the length of the arguments with which a text begins; -1 without any. They are
// brackets that hold nothing, literals, or names with values: a word alone is no argument that a
// model can write.
func argumentsLength(text string) int {
	if text == "" || strings.IndexByte("({[", text[0]) < 0 {
		return -1
	}
	inside := strings.TrimSpace(text[1:])
	behindName := strings.TrimLeft(strings.TrimLeftFunc(inside, isWordRune), " ")
	isLiteral := inside == "" || strings.IndexByte(`)}]{["'-<`, inside[0]) >= 0
	isNumber := text[0] == '(' && inside != "" && unicode.IsDigit(rune(inside[0]))
	isNamed := len(behindName) < len(inside) && behindName != "" && strings.IndexByte("=:", behindName[0]) >= 0
	if !isLiteral && !isNumber && !isNamed {
		return -1
	}

	return bracketsLength(text)
}

// bracketsLength is the length of the brackets with which a text begins, and what is in them; all
// of the text if they do not close.
func bracketsLength(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'':
			i = quotedEnd(text, i)
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if depth == 0 {
			return i + 1
		}
	}

	return len(text)
}

// quotedEnd is where the quote is that ends a string which begins at i.
func quotedEnd(text string, i int) int {
	quote := text[i]
	for i++; i < len(text) && text[i] != quote; i++ {
		if text[i] == '\\' {
			i++
		}
	}

	return i
}

// goesOnAsProse reports whether what follows a call on its line shows that it is a mention or a
// declaration: "start() does …", "start() {".
func goesOnAsProse(rest string) bool {
	rest = strings.TrimLeft(rest, " \t`)]*\"'")
	first, _ := utf8.DecodeRuneInString(rest)

	if isProse(first) || first == '{' || first == ':' {
		return true
	}

	return strings.HasPrefix(rest, "=>") || strings.HasPrefix(rest, "->")
}

// firstJSON is the JSON value with which a text begins; "" without one.
func firstJSON(text string) string {
	d := json.NewDecoder(strings.NewReader(text))
	var raw json.RawMessage
	if d.Decode(&raw) != nil {
		return ""
	}

	return text[:d.InputOffset()]
}

func isProse(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// isWordRune reports whether a character can be part of a tool's name or of a namespace before it.
func isWordRune(r rune) bool { return isProse(r) || r == '_' || r == '-' || r == '.' }
