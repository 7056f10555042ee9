package yamldoc

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
)

// candidate is a key or a value that may be the mistake.
type candidate struct {
	start, end int
	// flow is true in brackets. isKey is true at the start of a line or an entry.
	flow, isKey bool
}

// begins matches the beginnings of keys and values on a line.
var begins = regexp.MustCompile(`^ *(?:- +)*|[\[{,][ \t]*|: +`)

// explainValues looks for a key or a value on a line that can be replaced to make the text
// readable. Values in brackets come last, because their contents explain more.
func (d *explainer) explainValues(line int) *diag.Diagnostic {
	var inBrackets []candidate
	for _, p := range d.candidatesOn(line) {
		if c := d.text[p.start]; (c == '[' || c == '{') && !isPlaceholder(d.text, p.start) {
			inBrackets = append(inBrackets, p)
		} else if found := d.explainValue(p); found != nil {
			return found
		}
	}
	for _, p := range inBrackets {
		if found := d.explainBrackets(p); found != nil {
			return found
		}
	}

	return nil
}

// candidatesOn returns the keys and values on a line, outside of quotes.
func (d *explainer) candidatesOn(line int) []candidate {
	var all []candidate
	end, quoted := lineEnd(d.text, line), line
	for _, at := range begins.FindAllIndex(d.text[line:end], mostPlaces) {
		before, start := d.text[line+at[0]:line+at[1]], line+at[1]
		if start == end || start < quoted {
			continue
		}
		if stop := d.quoteEnd(start); stop <= end {
			quoted = stop
		}
		isEntry := bytes.ContainsAny(before, "[{,")
		isKey := isEntry || at[0] == 0 && !bytes.Contains(before, []byte(":"))
		left := d.text[line:start]
		opened := bytes.Count(left, []byte("[")) + bytes.Count(left, []byte("{"))
		closed := bytes.Count(left, []byte("]")) + bytes.Count(left, []byte("}"))
		isInBrackets, canBeFlow := opened > closed, isEntry || !isKey
		for _, flow := range []bool{false, true} {
			p := candidate{start: start, end: d.textEnd(start, flow), flow: flow, isKey: isKey}
			isEmpty := p.start == p.end && !(isEntry && d.text[start] == ',')
			isPossible := flow && canBeFlow || !flow && !isInBrackets
			if !isEmpty && isPossible {
				all = append(all, p)
			}
		}
	}

	return all
}

// textEnd returns the intended end of the text at i: the end of its line, or in brackets the next
// comma or closing bracket.
func (d *explainer) textEnd(i int, flow bool) int {
	start, depth, line := i, 0, lineEnd(d.text, i)
	for ; i < line; i++ {
		switch c := d.text[i]; {
		case c == '#' && i > start && isBlank(d.text[i-1]):
			return trimEnd(d.text, start, i)
		case (flow || i == start) && d.opensQuote(i):
			if end := d.quoteEnd(i); end <= line && d.text[end-1] == c {
				i = end - 1
			}
		case !flow:
		case strings.IndexByte("[{(", c) >= 0:
			depth++
		case strings.IndexByte("]})", c) >= 0 && depth > 0:
			depth--
		case c == ']' || c == '}', c == ',' && depth == 0:
			return trimEnd(d.text, start, i)
		}
	}

	return trimEnd(d.text, start, i)
}

// opensQuote reports whether a quote at i begins a text, and is not inside a word such as don't.
func (d *explainer) opensQuote(i int) bool {
	c := d.text[i]

	return c == '"' || c == '\'' && (i == 0 || strings.IndexByte(" \t\r\n[{(,:", d.text[i-1]) >= 0)
}

// quoteEnd returns the end of the quoted text at i, or i.
func (d *explainer) quoteEnd(i int) int {
	switch d.text[i] {
	case '"':
		return doubleQuotedEnd(d.text, i)
	case '\'':
		return singleQuotedEnd(d.text, i)
	}

	return i
}

// explainValue explains a key or a value, if it is the mistake.
func (d *explainer) explainValue(p candidate) *diag.Diagnostic {
	colon := plainColon(d.text, p.start, p.end)
	switch c := d.text[p.start]; {
	case colon == p.start:
		if d.tryReplacement(colon, colon, "x") || d.tryReplacement(colon, colon+1, "x") {
			return d.report(colon, colon+1, "a key is missing before the colon")
		}
		return nil
	case c == ',' && p.flow && p.isKey:
		if d.tryReplacement(p.start, p.start+1, "") {
			return d.report(p.start, p.start+1, "nothing is before this comma")
		}
		return nil
	case c == '"' || c == '\'':
		return d.explainQuotes(p)
	}
	if p.isKey && colon >= 0 {
		p.end = trimEnd(d.text, p.start, colon)
	}

	return d.explainPlain(p, colon)
}

// explainQuotes explains a text in quotes.
func (d *explainer) explainQuotes(p candidate) *diag.Diagnostic {
	end, line := d.quoteEnd(p.start), lineEnd(d.text, p.start)
	quote := d.text[p.start]
	isClosed := end > p.start+1 && end <= line && d.text[end-1] == quote
	isUnrelated := !d.tryReplacement(p.start, p.end, "x") && (isClosed || !d.tryReplacement(p.start, p.start+1, ""))
	if p.isKey && isClosed || isUnrelated {
		return nil
	}
	switch {
	case !isClosed:
		return d.report(p.start, trimEnd(d.text, p.start, line), "the quote %s that begins here is not closed", string(quote))
	case end < p.end:
		return d.reportTrailing(p, end)
	case quote == '"':
		return d.explainEscape(p.start, end)
	}

	return nil
}

// reportTrailing reports text after a quoted text or a value in brackets, with which p begins.
func (d *explainer) reportTrailing(p candidate, at int) *diag.Diagnostic {
	c := d.text[p.start]
	isQuote, what := c == '"' || c == '\'', "bracket"
	if isQuote {
		what = "quote"
	}
	for isBlank(d.text[at]) {
		at++
	}
	rest, whole := string(d.text[at:p.end]), string(d.text[p.start:p.end])
	switch {
	case p.flow && (strings.IndexByte("[{\"'", rest[0]) >= 0 || plainColon(d.text, at, p.end) > at):
		return d.report(at, p.end, "a comma is missing before %q", rest).WithHint("entries in brackets are parted by commas")
	case rest[0] == ']' || rest[0] == '}':
		return d.report(at, at+1, "%s closes nothing", rest[:1])
	}
	f := d.report(at, p.end, "%q follows the closing %s", rest, what)
	switch {
	case !isQuote || whole[len(whole)-1] != c:
		return f.WithHint("if all of it is text, write %s", quote(whole))
	case c == '\'':
		return f.WithHint("inside single quotes, a single quote is written twice: ''")
	}

	return f.WithHint(`inside double quotes, a double quote is written \"`)
}

// badEscape matches an unknown escape of double quotes, or one with too few digits.
var badEscape = regexp.MustCompile(`\\(?:x[0-9a-fA-F]?(?:[^0-9a-fA-F]|$)|u[0-9a-fA-F]{0,3}(?:[^0-9a-fA-F]|$)|U[0-9a-fA-F]{0,7}(?:[^0-9a-fA-F]|$)|[^0abt\tnvfre "/\\N_LP\r\n'xuU])`)

// explainEscape reports an unknown escape of double quotes.
func (d *explainer) explainEscape(start, end int) *diag.Diagnostic {
	text := escaped.ReplaceAllString(string(d.text[start:end-1]), "__")
	at := badEscape.FindStringIndex(text)
	if at == nil {
		return nil
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}
	i := start + at[0]
	if n := digits[d.text[i+1]]; n > 0 {
		return d.report(i, min(i+2+n, end-1), `\%s needs %d hexadecimal digits`, string(d.text[i+1]), n)
	}

	return d.report(i, start+at[1], `%s is not an escape sequence of double quotes`, string(d.text[i:start+at[1]])).
		WithHint(`write \\ for a backslash, or use single quotes`)
}

// escaped matches escaped backslashes.
var escaped = regexp.MustCompile(`\\\\`)

// explainBrackets explains a value in brackets.
func (d *explainer) explainBrackets(p candidate) *diag.Diagnostic {
	var open []int
	line := lineEnd(d.text, p.start)
	for i := p.start; i < len(d.text); i++ {
		if i > line {
			line = lineEnd(d.text, i)
		}
		switch c := d.text[i]; {
		case d.opensQuote(i):
			i = min(d.quoteEnd(i), line) - 1
		case c == '[' || c == '{':
			open = append(open, i)
		case c == ']' || c == '}':
			opener := open[len(open)-1]
			open = open[:len(open)-1]
			if o := d.text[opener]; o != c-2 {
				if !d.tryReplacement(p.start, lineEnd(d.text, i), "x") {
					return nil
				}
				return d.report(i, i+1, "%s closes nothing; the %s that is open here is closed by %s", string(c), string(o), string(o+2)).
					Note(d.span(opener, opener+1), "it was opened here")
			}
		case isBreak(c) || c == '#' && isBlank(d.text[i-1]):
			if found := d.reportUnclosed(open, trimEnd(d.text, p.start, i)); found != nil || i > d.limit {
				return found
			}
			i = max(i, line-1)
		}
		if len(open) == 0 {
			p.end = max(p.end, i+1)
			if i+1 < p.end && d.tryReplacement(p.start, p.end, "x") {
				return d.reportTrailing(p, i+1)
			}
			return nil
		}
	}

	return d.reportUnclosed(open, len(d.text))
}

// reportUnclosed reports the innermost open bracket, if the open brackets must be closed at end.
func (d *explainer) reportUnclosed(open []int, end int) *diag.Diagnostic {
	var closers []byte
	for _, i := range slices.Backward(open) {
		closers = append(closers, d.text[i]+2)
	}
	at := open[len(open)-1]
	if !d.tryReplacement(end, end, string(closers)) && !d.tryReplacement(at, at+1, "") {
		return nil
	}

	return d.report(at, at+1, "the %s that begins here is not closed", string(d.text[at])).WithHint("%s is missing", string(closers[:1]))
}

// tryPlainValues reports whether the library reads on if the candidate is replaced by a plain text
// or, for a value, by nothing.
func (d *explainer) tryPlainValues(p candidate) bool {
	if d.tryReplacement(p.start, p.end, "x") {
		return true
	}

	return !p.isKey && d.tryReplacement(p.start, p.end, "")
}

// explainPlain explains a text without quotes.
func (d *explainer) explainPlain(p candidate, colon int) *diag.Diagnostic {
	text := string(d.text[p.start:p.end])
	c := text[:1]
	isOdd := strings.Contains("*&!@`%{", c)
	header := strings.TrimLeft(text[1:], "+-123456789 \t")
	if !p.isKey {
		isBlock := (c == "|" || c == ">") && header != ""
		isOdd = isOdd || isBlock || strings.Contains("]},", c) || strings.HasPrefix(text, "- ")
	}
	holdsColon, holdsBracket := !p.isKey && colon >= 0, p.flow && strings.ContainsAny(text, "[{")
	switch {
	case p.isKey && !p.flow && colon < 0 && !isOdd:
		return d.reportMissingSpace(p, text)
	case !isOdd && !holdsColon && !holdsBracket, !d.tryPlainValues(p):
		return nil
	case c == "*" && len(text) > 1 && anchorEnd(d.text, p.start) == p.end:
		return d.report(p.start, p.end, "%q is an alias, and no anchor %q is above it", text, "&"+text[1:]).
			WithHint("if it is a text, write %s", quote(text))
	case c == "-" && isOdd:
		return d.report(p.start, p.start+1, "a list cannot begin on the line of its key").WithHint("put - on a line of its own")
	case (c == "|" || c == ">") && !p.flow:
		at := p.end - len(header)
		return d.report(at, p.end, "text follows %s; it must begin on the next line", c).
			WithHint("a text that begins with %s must be quoted", c)
	case strings.HasPrefix(text, "{{"):
		return d.reportUnquoted(p, "a text that begins with {{ must be quoted")
	case isOdd:
		return d.reportUnquoted(p, "a text that begins with %s must be quoted", c)
	case holdsBracket:
		return d.reportUnquoted(p, "a text that contains %s must be quoted here", text[strings.IndexAny(text, "[{"):][:1])
	case p.flow:
		word := max(p.start, 1+bytes.LastIndexAny(d.text[:trimEnd(d.text, p.start, colon)], " \t\r\n"))
		return d.report(colon, colon+1, "this entry has a second colon").
			WithHint("put a comma before %q if it is a key, or else quotes around the text", d.text[word:colon])
	}

	return d.reportUnquoted(p, "a value that contains a colon and a space must be quoted")
}

// reportMissingSpace reports a colon that ends no key because no space follows it.
func (d *explainer) reportMissingSpace(p candidate, text string) *diag.Diagnostic {
	name, _, ok := strings.Cut(text, ":")
	at := p.start + len(name)
	isName := ok && name != "" && !strings.ContainsAny(name, " \"'[{")
	if !isName || !d.tryReplacement(at+1, p.end, " x") && !d.tryReplacement(at+1, p.end, "") {
		return nil
	}

	return d.report(at, at+1, "a space is missing behind the colon of %q", name).WithFix("insert a space", d.span(at+1, at+1), " ")
}

// reportUnquoted reports a text that needs quotes. The fix is certain if the text ends here.
func (d *explainer) reportUnquoted(p candidate, format string, args ...any) *diag.Diagnostic {
	text := string(d.text[p.start:p.end])
	f := d.report(p.start, p.end, format, args...)
	goesOn := d.continuesBelow(p)
	switch {
	case p.flow && (goesOn || strings.Count(text, "(") != strings.Count(text, ")")):
		return f.WithHint("put quotes around all of it")
	case goesOn && strings.HasSuffix(text, ":"):
		return f.WithHint("a key within another key begins a line of its own, indented deeper")
	case goesOn:
		return f.WithHint("put quotes around all of its lines, or write >- here and the text on the lines below")
	}
	quoted := quote(text)

	return f.WithHint("write %s", quoted).WithFix("put quotes around it", f.Span, quoted)
}

// continuesBelow reports whether a text continues on the next lines: in brackets if nothing ends
// it, otherwise if the next line is indented deeper than its collection.
func (d *explainer) continuesBelow(p candidate) bool {
	next := skipSpace(d.text, p.end)
	if next == len(d.text) || p.flow {
		return next < len(d.text) && strings.IndexByte(",]}:", d.text[next]) < 0
	}
	line := lineStart(d.text, p.start)
	dashes := begins.Find(d.text[line:p.start])
	indent := len(dashes)
	if p.isKey {
		indent = bytes.LastIndexByte(dashes, '-')
	}

	below := lineStart(d.text, next)

	return below > line && next-below > indent
}

// quote puts a one-line text in quotes of the kind that needs no escapes.
func quote(text string) string {
	if !strings.ContainsAny(text, `"\`) {
		return `"` + text + `"`
	}

	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// isPlaceholder reports whether a brace at i begins a placeholder, such as {{ input }}.
func isPlaceholder(text []byte, i int) bool {
	line := text[i:lineEnd(text, i)]

	return bytes.HasPrefix(line, []byte("{{")) && bytes.Contains(line, []byte("}}"))
}
