package check

import (
	"regexp"
	"slices"
	"strings"
)

// maxKey is the maximum length of a key in a prompt, in bytes. A longer text is not a key.
const maxKey = 48

// Characters that open and close a quoted text, including those of Markdown.
const (
	opening = "`*\"'“‘«"
	closing = "`*\"'”’»"
)

// readList returns the keys at an offset, which are separated by separator, and their end. Words
// without quotes count only if allowBare is true.
func (s *keyScanner) readList(at int, separator *regexp.Regexp, allowBare bool) (values []namedKey, end int) {
	end = at
	for {
		value, next, ok := quotedAt(s.text, at)
		if !ok && allowBare {
			value, ok = s.bareWord(at)
			next = value.end
		}
		if !ok || !allowBare && len(values) > 0 && assigns.MatchString(s.text[next:]) {
			return values, end // the name of the next parameter
		}
		values = append(values, splitAlternatives(value)...)
		end = next
		between := separator.FindString(s.text[next:])
		if between == "" {
			return values, end
		}
		at = next + len(between)
	}
}

// quotedKey matches a few words in quotes.
var quotedKey = regexp.MustCompile("^[`*\"'“‘«]+([^\\s`*\"'”’»]+(?:[ \t]+[^\\s`*\"'”’»]+){0,3})([`*\"'”’»]+)(?:[^\\p{L}]|$)")

// quotedAt returns the quoted text at an offset and the end of its closing quote.
func quotedAt(text string, at int) (value namedKey, next int, ok bool) {
	m := quotedKey.FindStringSubmatchIndex(text[at:])
	if m == nil || m[3]-m[2] > maxKey {
		return namedKey{}, 0, false
	}

	return namedKey{start: at + m[2], end: at + m[3], key: text[at+m[2] : at+m[3]]}, at + m[5], true
}

// alternative matches between keys in one pair of quotes.
var alternative = regexp.MustCompile(`\s*(?:[|/]|\bor\b)\s*`)

// splitAlternatives returns the keys of a quoted text that may hold several, as in "x|y".
func splitAlternatives(value namedKey) []namedKey {
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

// bareWord returns the word at an offset.
func (s *keyScanner) bareWord(at int) (value namedKey, ok bool) {
	word := bareKey.FindString(s.text[at:])
	if word == "" || len(word) > maxKey {
		return namedKey{}, false
	}

	return namedKey{start: at, end: at + len(word), key: word}, true
}

var (
	// endsKey matches after a key without quotes.
	endsKey = regexp.MustCompile(`(?i)^(?:[.,;)]|\s*$|\s*\n\s*\n|\s+(?:if|when|unless|otherwise|once|and (?:the )?value)\b)`)
	// keyNouns matches words that "key" describes: "finish with key evidence". All plurals count
	// too.
	keyNouns = regexp.MustCompile(`(?i)^(?:action|advice|area|argument|aspect|assumption|component|concept|content|context|` +
		`data|date|decision|detail|difference|element|evidence|fact|feature|feedback|figure|finding|highlight|idea|info|` +
		`information|insight|issue|learning|lesson|material|message|metric|moment|news|number|passage|people|person|phrase|` +
		`point|question|quote|reason|` +
		`requirement|result|risk|scene|sentence|statement|step|takeaway|task|term|theme|topic|value|word)$`)
)

// isBareKey reports whether a word after the word key is a key, by the word and the text after it.
func isBareKey(word, rest string) bool {
	return endsKey.MatchString(rest) && !keyNouns.MatchString(word) && !strings.HasSuffix(strings.ToLower(word), "s")
}

var (
	bullet = regexp.MustCompile(`^\s*(?:[-*+]|\d+[.)])\s+`)
	// endsItem matches after the key that begins an item of a list.
	endsItem = regexp.MustCompile("^[`*\"']*\\s*(?::|=|—|–|→|->|\\(|-\\s|$)")
)

// leadsToItems matches before the items of a list.
var leadsToItems = regexp.MustCompile(`^[^:]*:[ \t\r*_]*\n`)

// readItems returns the keys that begin the items of a list, if the text at the offset ends with a
// colon and a list.
func (s *keyScanner) readItems(at int) (items []namedKey) {
	lead := leadsToItems.FindString(s.text[at:min(len(s.text), at+maxSentence)])
	if lead == "" {
		return nil
	}
	at += len(lead)
	first := -1 // indentation of the first item; a deeper item describes another one
	for line := range strings.Lines(s.text[at:]) {
		mark := bullet.FindString(line)
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		switch {
		case mark == "" && indent == 0 && strings.TrimSpace(line) != "":
			return items
		case mark != "" && (first < 0 || indent <= first):
			first = indent
			if item, ok := s.readItem(at + len(mark)); ok {
				items = append(items, item)
			}
		}
		at += len(line)
	}

	return items
}

// readItem returns the key that begins an item.
func (s *keyScanner) readItem(at int) (namedKey, bool) {
	value, next, ok := quotedAt(s.text, at)
	if !ok {
		value, ok = s.bareWord(at)
		next = value.end
	}
	line, _, _ := strings.Cut(s.text[next:], "\n")

	return value, ok && endsItem.MatchString(strings.TrimRight(line, "\r"))
}

var endsSentence = regexp.MustCompile(`[.!?][)"'*` + "`" + `]*\s|\n\s*\n|\n\s*(?:[-*+]|\d+[.)])\s|\n#`)

// sentenceStart returns the start of the sentence that contains an offset.
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

// standIns matches words that replace a key in a prompt, without characters between their words.
var standIns = regexp.MustCompile(`(?i)^(?:the|your|a|an|some|one|any|my|this|that|its|chosen|right|correct|matching)?` +
	`(?:key|keys|keyname|category|label|choice|decision|verdict|option|class|intent|route|outcome|value|text|string|str|name|` +
	`foo|bar|baz|x|y|z|xyz|xxx|abc|todo|tbd|placeholder)$`)

// openSigns matches a text that the model is to fill in, and a text without letters.
var openSigns = regexp.MustCompile(`[<>{}\[\]()$%#@^&\\…]|\.\.|^[^\p{L}\p{N}]*$`)

// isPlaceholder reports whether the model must replace a text by a key.
func isPlaceholder(key string) bool {
	return openSigns.MatchString(key) || standIns.MatchString(strings.NewReplacer(" ", "", "-", "", "_", "").Replace(key))
}

var (
	// keyHeading matches the heading of a column of keys.
	keyHeading = regexp.MustCompile("(?i)^[*_`]*(?:(?:finish|the|your|with|exact)[`*]* +)*keys?[*_`]*$")
	// belowHeadings matches the line below the headings of a table.
	belowHeadings = regexp.MustCompile(`^[ \t]*\|[ \t:|-]*-[ \t:|-]*\r?$`)
)

// tableColumn is a column of a Markdown table in a prompt.
type tableColumn struct {
	// headingsEnd is the end of the line of headings, and rows the offset of the first row.
	headingsEnd, rows int
	// bars is the number of bars before the column in each line.
	bars int
}

// keyColumnAt returns the column of keys whose heading contains the word key at an offset.
func (s *keyScanner) keyColumnAt(start int) (tableColumn, bool) {
	from := max(0, start-maxSentence)
	from += strings.LastIndexByte(s.text[from:start], '\n') + 1
	headings, rest, _ := strings.Cut(s.text[from:], "\n")
	below, rows, _ := strings.Cut(rest, "\n")
	column := tableColumn{
		headingsEnd: from + len(headings),
		rows:        len(s.text) - len(rows),
		bars:        strings.Count(s.text[from:start], "|"),
	}
	heading := cellOf(headings, column.bars)
	isKeys := isRow(headings) && keyHeading.MatchString(headings[heading[0]:heading[1]])

	return column, isKeys && belowHeadings.MatchString(below)
}

// readTableColumn adds the keys in the cells of a column.
func (s *keyScanner) readTableColumn(column tableColumn) {
	var values []namedKey
	at := column.rows
	for line := range strings.Lines(s.text[column.rows:]) {
		if !isRow(line) {
			break
		}
		cell := cellOf(line, column.bars)
		values = append(values, s.readCell(at+cell[0], at+cell[1])...)
		at += len(line)
	}
	s.headings = column.headingsEnd
	s.addKeyList(values)
}

func isRow(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " \t"), "|") }

// cellOf returns the trimmed cell of a line after a number of bars, as start and end.
func cellOf(line string, bars int) [2]int {
	cells := strings.SplitN(line, "|", bars+2)
	if len(cells) <= bars {
		return [2]int{len(line), len(line)} // a short row
	}
	start := len(strings.Join(cells[:bars], "|")) + min(bars, 1)
	start += len(cells[bars]) - len(strings.TrimLeft(cells[bars], " \t"))

	return [2]int{start, start + len(strings.TrimSpace(cells[bars]))}
}

// readCell returns the keys in a cell that contains nothing else.
func (s *keyScanner) readCell(start, end int) []namedKey {
	cell := keyScanner{text: s.text[:end]}
	if values, next := cell.readList(start, or, false); len(values) > 0 && next == end {
		return values
	}
	if value, ok := cell.bareWord(start); ok && value.end == end {
		return []namedKey{value}
	}

	return nil
}

var (
	// choice matches before the words of which the model is to choose one.
	choice = regexp.MustCompile(`(?i)\b(?:choose|pick|select|answer|respond|reply)\s+(?:with\s+)?(?:exactly\s+)?(?:one(?:\s+of(?:\s+these)?)?|either)?\s*:?\s+`)
	// orWord matches between two of these words, and endsChoice after the last.
	orWord     = regexp.MustCompile(`(?i)^\s*(?:,\s*(?:or\s+)?|\s+or\s+|/|\|)\s*`)
	endsChoice = regexp.MustCompile(`^[.;!]?\s*(?:$|\n)|^[.;]\s`)
	// openKey matches a call whose key the model is to choose itself.
	openKey = regexp.MustCompile("(?i)\\bfinish[`*]*\\([^)\\n]{0,80}?\\bkey[\"'`]?\\s*[=:]\\s*[\"'`]?\\s*[<{$\\[(…]")
	// throughFinish matches in the rest of a sentence that explains the key before it.
	throughFinish = regexp.MustCompile("(?i)\\b(?:through|via|using|with|by\\s+calling|to)\\s+(?:the\\s+)?[`*\"']*finish\\b")
)

// isForFinish reports whether the rest of a sentence describes a key as the key of finish.
func (s *keyScanner) isForFinish(from int) bool {
	rest := s.text[from:min(len(s.text), from+maxSentence)]
	if end := endsSentence.FindStringIndex(rest); end != nil {
		rest = rest[:end[0]]
	}

	return throughFinish.MatchString(rest)
}

// readChoices adds the words after "choose one:".
func (s *keyScanner) readChoices() {
	for _, at := range choice.FindAllStringIndex(s.text, -1) {
		if isRefused(s.text[:at[0]]) {
			continue
		}
		values, end := s.readList(at[1], orWord, true)
		if len(values) > 1 && endsChoice.MatchString(s.text[end:]) {
			s.addKeyList(values)
		}
	}
}

// bareList returns the words at an offset that end a sentence with "or" between them. It returns
// nil if one of them is a noun that "key" describes.
func (s *keyScanner) bareList(at int) []namedKey {
	values, end := s.readList(at, orWord, true)
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

// readOpenKeyItems adds the bold or quoted items that begin the lines of a list, if the model is to
// choose the key of the call: they are the choices.
func (s *keyScanner) readOpenKeyItems() {
	if !openKey.MatchString(s.text) {
		return
	}
	var values []namedKey
	at := 0
	for line := range strings.Lines(s.text) {
		if mark := bullet.FindString(line); mark != "" && strings.IndexAny(line[len(mark):], opening) == 0 {
			if value, ok := s.readItem(at + len(mark)); ok && !strings.Contains(value.key, " ") {
				values = append(values, value)
			}
		}
		at += len(line)
	}
	if len(values) > 1 {
		s.addKeyList(values)
	}
}
