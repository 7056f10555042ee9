package check

import (
	"regexp"
	"strings"
)

var (
	// choice is what stands before words of which the model is to choose one.
	choice = regexp.MustCompile(`(?i)\b(?:choose|pick|select|answer|respond|reply)\s+(?:with\s+)?(?:exactly\s+)?(?:one(?:\s+of(?:\s+these)?)?|either)?\s*:?\s+`)
	// orWord is what stands between two of them, and endsChoice what behind the last.
	orWord     = regexp.MustCompile(`(?i)^\s*(?:,\s*(?:or\s+)?|\s+or\s+|/|\|)\s*`)
	endsChoice = regexp.MustCompile(`^[.;!]?\s*(?:$|\n)|^[.;]\s`)
	// openKey is a key in a call that the model is to choose itself.
	openKey = regexp.MustCompile("(?i)\\bfinish[`*]*\\([^)\\n]{0,80}?\\bkey[\"'`]?\\s*[=:]\\s*[\"'`]?\\s*[<{$\\[(…]")
	// throughFinish is how a sentence goes on that says behind a key what the key is for.
	throughFinish = regexp.MustCompile("(?i)\\b(?:through|via|using|with|by\\s+calling|to)\\s+(?:the\\s+)?[`*\"']*finish\\b")
)

// throughFinish reports whether the rest of a sentence says that what stands before is a key of finish.
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
		values, end := s.words(at[1])
		if len(values) > 1 && endsChoice.MatchString(s.text[end:]) {
			s.addList(values)
		}
	}
}

// bareList returns the words without quotes at an offset that end a sentence with "or" between them, none of them a noun that key
// stands before.
func (s *keyScanner) bareList(at int) []namedKey {
	values, end := s.words(at)
	if len(values) < 2 || !endsChoice.MatchString(s.text[end:]) {
		return nil
	}
	for _, value := range values {
		if keyNouns.MatchString(value.key) || strings.HasSuffix(strings.ToLower(value.key), "s") {
			return nil
		}
	}

	return values
}

// words returns the single words, in quotes or without, that stand at an offset with commas and "or" between them.
func (s *keyScanner) words(at int) (values []namedKey, end int) {
	for {
		value, next, ok := quotedAt(s.text, at)
		if !ok {
			if value, ok = s.bare(at); !ok {
				return nil, at
			}
			next = value.end
		}
		values = append(values, value)
		between := orWord.FindString(s.text[next:])
		if between == "" {
			return values, next
		}
		at = next + len(between)
	}
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
