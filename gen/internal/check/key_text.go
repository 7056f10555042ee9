package check

import (
	"regexp"
	"slices"
	"strings"
)

// maxKey bounds a key in a prompt, in bytes: what is longer is a text.
const maxKey = 48

// Signs that open and close a text in quotes; those of Markdown are among them.
const (
	opening = "`*\"'“‘«"
	closing = "`*\"'”’»"
)

// list returns the keys that are at an offset, one behind the other with separators between them, and where they end: those
// in quotes, and with bare single words too.
func (s *keyScanner) list(at int, separator *regexp.Regexp, bare bool) (values []namedKey, end int) {
	end = at
	for {
		value, next, ok := quotedAt(s.text, at)
		if !ok && bare {
			value, ok = s.bare(at)
			next = value.end
		}
		if !ok || !bare && len(values) > 0 && assigns.MatchString(s.text[next:]) {
			return values, end // what is assigned to is another parameter
		}
		values = append(values, alternatives(value)...)
		end = next
		between := separator.FindString(s.text[next:])
		if between == "" {
			return values, end
		}
		at = next + len(between)
	}
}

// quotedKey is a text of a few words in quotes.
var quotedKey = regexp.MustCompile("^[`*\"'“‘«]+([^\\s`*\"'”’»]+(?:[ \t]+[^\\s`*\"'”’»]+){0,3})([`*\"'”’»]+)(?:[^\\p{L}]|$)")

// quotedAt returns the text in quotes at an offset and where its closing sign ends.
func quotedAt(text string, at int) (value namedKey, next int, ok bool) {
	m := quotedKey.FindStringSubmatchIndex(text[at:])
	if m == nil || m[3]-m[2] > maxKey {
		return namedKey{}, 0, false
	}

	return namedKey{start: at + m[2], end: at + m[3], key: text[at+m[2] : at+m[3]]}, at + m[5], true
}

// alternative is what is between keys in one pair of quotes.
var alternative = regexp.MustCompile(`\s*(?:[|/]|\bor\b)\s*`)

// alternatives returns the keys of a text in quotes that may hold several, as in "x|y".
func alternatives(value namedKey) []namedKey {
	between := alternative.FindAllStringIndex(value.key, -1)
	if between == nil {
		return []namedKey{value}
	}
	var parts []namedKey
	from := 0
	for _, at := range append(between, []int{len(value.key), len(value.key)}) {
		if at[0] > from {
			part := namedKey{start: value.start + from, end: value.start + at[0], key: value.key[from:at[0]], whole: value.key}
			parts = append(parts, part)
		}
		from = at[1]
	}

	return parts
}

var bareKey = regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{N}_-]*`)

// bare returns the word at an offset.
func (s *keyScanner) bare(at int) (value namedKey, ok bool) {
	word := bareKey.FindString(s.text[at:])
	if word == "" || len(word) > maxKey {
		return namedKey{}, false
	}

	return namedKey{start: at, end: at + len(word), key: word}, true
}

var (
	// endsKey is what is behind a key without quotes.
	endsKey = regexp.MustCompile(`(?i)^(?:[.,;)]|\s*$|\s*\n\s*\n|\s+(?:if|when|unless|otherwise|once|and (?:the )?value)\b)`)
	// keyNouns are words before which key is an adjective: "finish with key evidence". Plurals are all taken for such.
	keyNouns = regexp.MustCompile(`(?i)^(?:action|advice|area|argument|aspect|assumption|component|concept|content|context|` +
		`data|date|decision|detail|difference|element|evidence|fact|feature|feedback|figure|finding|highlight|idea|info|` +
		`information|insight|issue|learning|lesson|material|message|metric|moment|news|number|passage|people|person|phrase|` +
		`point|question|quote|reason|` +
		`requirement|result|risk|scene|sentence|statement|step|takeaway|task|term|theme|topic|value|word)$`)
)

// isName reports whether a word without quotes behind the word key is a key, by the word and by what follows it.
func isName(word, rest string) bool {
	return endsKey.MatchString(rest) && !keyNouns.MatchString(word) && !strings.HasSuffix(strings.ToLower(word), "s")
}

var (
	bullet = regexp.MustCompile(`^\s*(?:[-*+]|\d+[.)])\s+`)
	// endsItem is what is behind the key that an item of a list begins with.
	endsItem = regexp.MustCompile("^[`*\"']*\\s*(?::|=|—|–|→|->|\\(|-\\s|$)")
)

// leadsToItems is what is before the items of a list.
var leadsToItems = regexp.MustCompile(`^[^:]*:[ \t\r*_]*\n`)

// items returns the keys with which the items of a list begin, if what is at the offset ends with a colon and a list.
func (s *keyScanner) items(at int) (items []namedKey) {
	lead := leadsToItems.FindString(s.text[at:min(len(s.text), at+maxSentence)])
	if lead == "" {
		return nil
	}
	at += len(lead)
	first := -1 // how far the first item is indented: what is indented further is said of an item
	for line := range strings.Lines(s.text[at:]) {
		mark := bullet.FindString(line)
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		switch {
		case mark == "" && indent == 0 && strings.TrimSpace(line) != "":
			return items
		case mark != "" && (first < 0 || indent <= first):
			first = indent
			if item, ok := s.item(at + len(mark)); ok {
				items = append(items, item)
			}
		}
		at += len(line)
	}

	return items
}

// item returns the key with which the item of a list begins.
func (s *keyScanner) item(at int) (namedKey, bool) {
	value, next, ok := quotedAt(s.text, at)
	if !ok {
		value, ok = s.bare(at)
		next = value.end
	}
	line, _, _ := strings.Cut(s.text[next:], "\n")

	return value, ok && endsItem.MatchString(strings.TrimRight(line, "\r"))
}

var endsSentence = regexp.MustCompile(`[.!?][)"'*` + "`" + `]*\s|\n\s*\n|\n\s*(?:[-*+]|\d+[.)])\s|\n#`)

// sentenceStart returns where the sentence begins that has an offset.
func (s *keyScanner) sentenceStart(at int) int {
	from := max(0, at-maxSentence)
	window := s.text[from:at]
	ends := endsSentence.FindAllStringIndex(window, -1)
	for _, end := range slices.Backward(ends) {
		if before := window[:end[0]]; !strings.HasSuffix(before, "e.g") && !strings.HasSuffix(before, "i.e") {
			return from + end[1]
		}
	}

	return from
}

// standIns are words that represent a key in a prompt, without signs between their words.
var standIns = regexp.MustCompile(`(?i)^(?:the|your|a|an|some|one|any|my|this|that|its|chosen|right|correct|matching)?` +
	`(?:key|keys|keyname|category|label|choice|decision|verdict|option|class|intent|route|outcome|value|text|string|str|name|` +
	`foo|bar|baz|x|y|z|xyz|xxx|abc|todo|tbd|placeholder)$`)

// openSigns are those of a text that the model is to fill in, or all of a text that has no letters.
var openSigns = regexp.MustCompile(`[<>{}\[\]()$%#@^&\\…]|\.\.|^[^\p{L}\p{N}]*$`)

// placeholder reports whether a text represents a key that the model is to put there.
func placeholder(key string) bool {
	return openSigns.MatchString(key) || standIns.MatchString(strings.NewReplacer(" ", "", "-", "", "_", "").Replace(key))
}

var (
	// keyHeading is the heading of a column of keys.
	keyHeading = regexp.MustCompile("(?i)^[*_`]*(?:(?:finish|the|your|with|exact)[`*]* +)*keys?[*_`]*$")
	// belowHeadings is the line below the headings of a table.
	belowHeadings = regexp.MustCompile(`^[ \t]*\|[ \t:|-]*-[ \t:|-]*\r?$`)
)

// inTable reads the column of a table in whose headings the word key at start is, if it is in one.
func (s *keyScanner) inTable(start int) bool {
	from := max(0, start-maxSentence)
	from += strings.LastIndexByte(s.text[from:start], '\n') + 1
	headings, rest, _ := strings.Cut(s.text[from:], "\n")
	below, rows, _ := strings.Cut(rest, "\n")
	column := strings.Count(s.text[from:start], "|")
	heading := cellOf(headings, column)
	if !isRow(headings) || !keyHeading.MatchString(headings[heading[0]:heading[1]]) || !belowHeadings.MatchString(below) {
		return false
	}

	var values []namedKey
	at := len(s.text) - len(rows)
	for line := range strings.Lines(rows) {
		if !isRow(line) {
			break
		}
		cell := cellOf(line, column)
		values = append(values, s.cell(at+cell[0], at+cell[1])...)
		at += len(line)
	}
	s.headings = from + len(headings)
	s.addList(values)

	return true
}

func isRow(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " \t"), "|") }

// cellOf returns where the cell of a line behind so many bars is, without the spaces around it.
func cellOf(line string, bars int) [2]int {
	cells := strings.SplitN(line, "|", bars+2)
	if len(cells) <= bars {
		return [2]int{len(line), len(line)} // a short row
	}
	start := len(strings.Join(cells[:bars], "|")) + min(bars, 1)
	start += len(cells[bars]) - len(strings.TrimLeft(cells[bars], " \t"))

	return [2]int{start, start + len(strings.TrimSpace(cells[bars]))}
}

// cell returns the keys that are in a cell, if it has nothing else.
func (s *keyScanner) cell(start, end int) []namedKey {
	cell := keyScanner{text: s.text[:end]}
	if values, next := cell.list(start, or, false); len(values) > 0 && next == end {
		return values
	}
	if value, ok := cell.bare(start); ok && value.end == end {
		return []namedKey{value}
	}

	return nil
}

var (
	// choice is what is before words of which the model is to choose one.
	choice = regexp.MustCompile(`(?i)\b(?:choose|pick|select|answer|respond|reply)\s+(?:with\s+)?(?:exactly\s+)?(?:one(?:\s+of(?:\s+these)?)?|either)?\s*:?\s+`)
	// orWord is what is between two of them, and endsChoice what behind the last.
	orWord     = regexp.MustCompile(`(?i)^\s*(?:,\s*(?:or\s+)?|\s+or\s+|/|\|)\s*`)
	endsChoice = regexp.MustCompile(`^[.;!]?\s*(?:$|\n)|^[.;]\s`)
	// openKey is a key in a call that the model is to choose itself.
	openKey = regexp.MustCompile("(?i)\\bfinish[`*]*\\([^)\\n]{0,80}?\\bkey[\"'`]?\\s*[=:]\\s*[\"'`]?\\s*[<{$\\[(…]")
	// throughFinish is how a sentence goes on that says behind a key what the key is for.
	throughFinish = regexp.MustCompile("(?i)\\b(?:through|via|using|with|by\\s+calling|to)\\s+(?:the\\s+)?[`*\"']*finish\\b")
)

// throughFinish reports whether the rest of a sentence says that what is before is a key of finish.
func (s *keyScanner) throughFinish(from int) bool {
	rest := s.text[from:min(len(s.text), from+maxSentence)]
	if end := endsSentence.FindStringIndex(rest); end != nil {
		rest = rest[:end[0]]
	}

	return throughFinish.MatchString(rest)
}

// choices reads the words that follow on "choose one:".
func (s *keyScanner) choices() {
	for _, at := range choice.FindAllStringIndex(s.text, -1) {
		if isRefused(s.text[:at[0]]) {
			continue
		}
		values, end := s.list(at[1], orWord, true)
		if len(values) > 1 && endsChoice.MatchString(s.text[end:]) {
			s.addList(values)
		}
	}
}

// bareList returns the words without quotes at an offset that end a sentence with "or" between them, none of them a noun that key
// is before.
func (s *keyScanner) bareList(at int) []namedKey {
	values, end := s.list(at, orWord, true)
	if len(values) < 2 || !endsChoice.MatchString(s.text[end:]) {
		return nil
	}
	isNoun := func(value namedKey) bool {
		return keyNouns.MatchString(value.key) || strings.HasSuffix(strings.ToLower(value.key), "s")
	}
	if slices.ContainsFunc(values, isNoun) {
		return nil
	}

	return values
}

// itemsOfOpenKey reads the items in bold or in quotes with which the lines of a list begin, if the key of the call is left
// to the model: they are what it chooses from.
func (s *keyScanner) itemsOfOpenKey() {
	if !openKey.MatchString(s.text) {
		return
	}
	var values []namedKey
	at := 0
	for line := range strings.Lines(s.text) {
		if mark := bullet.FindString(line); mark != "" && strings.IndexAny(line[len(mark):], opening) == 0 {
			if value, ok := s.item(at + len(mark)); ok && !strings.Contains(value.key, " ") {
				values = append(values, value)
			}
		}
		at += len(line)
	}
	if len(values) > 1 {
		s.addList(values)
	}
}
