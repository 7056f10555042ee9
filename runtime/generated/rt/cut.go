package rt

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// deepestCut bounds how deep JSON may be nested that is cut at an element; what is deeper is cut as
// plain text.
const deepestCut = 1000

// cutPiece returns where a piece of text ends that begins at from and has at most `most` bytes: the
// end of the text; else, in JSON, the comma behind an element; else the end of a line, a space, or
// at least of a character. It looks for these in the second half of the piece only. where describes
// a cut in JSON; "" for another. The end is beyond from, unless from is the end of the text.
func cutPiece(text string, from, most int) (end int, where string) {
	most = max(most, utf8.UTFMax)
	if len(text)-from <= most {
		return len(text), ""
	}
	limit := from + most
	for limit > from && !utf8.RuneStart(text[limit]) {
		limit--
	}
	if limit == from {
		limit = from + most // not UTF-8
	}
	least := min(from+most/2, limit)
	end, where = cutJSON(text, least, limit)
	if end > 0 {
		return end, where
	}
	for _, at := range []string{"\n", " "} {
		if i := strings.LastIndex(text[least:limit], at); i >= 0 {
			return least + i + 1, ""
		}
	}

	return limit, ""
}

// cutJSON returns the end, with its comma, of an element of a list or a member of an object that
// ends between least and limit, and where in the document that is: of the outermost ones the last.
// The end is 0 if there is none, or if the text does not look like JSON.
func cutJSON(text string, least, limit int) (end int, where string) {
	s := jsonScan{least: least}
	if !s.scanText(text, limit) || s.depth == 0 {
		return 0, ""
	}
	end = s.comma + 1
	s = jsonScan{least: limit}
	s.scanText(text, end)

	return end, s.position()
}

// jsonScan follows the structure of a text that may be JSON, without judging what is between the
// commas.
type jsonScan struct {
	frames []jsonFrame
	// comma is the last comma between elements of the fewest frames, depth of them, that is not
	// before least; depth is 0 without one.
	least, comma, depth int
}

// jsonFrame is a list or an object that is open. at counts the elements of a list that have ended;
// key is the name of the member that was read last.
type jsonFrame struct {
	list bool
	at   int
	key  string
}

// scanText reads the text up to a place. It returns false for a text that is not JSON.
func (s *jsonScan) scanText(text string, limit int) bool {
	closed := false
	for i := 0; i < limit; i++ {
		c := text[i]
		if c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			continue
		}
		if closed || len(s.frames) == 0 && c != '[' && c != '{' {
			return false
		}
		switch c {
		case '"':
			end := stringEnd(text, i, limit)
			s.addName(text, i, end)
			i = end - 1
		case '[', '{':
			if len(s.frames) == deepestCut {
				return false
			}
			s.frames = append(s.frames, jsonFrame{list: c == '['})
		case ']', '}':
			top := len(s.frames) - 1
			if s.frames[top].list != (c == ']') {
				return false
			}
			s.frames = s.frames[:top]
			closed = top == 0
		case ',':
			s.frames[len(s.frames)-1].at++
			if depth := len(s.frames); i >= s.least && (s.depth == 0 || depth <= s.depth) {
				s.comma, s.depth = i, depth
			}
		}
	}

	return true
}

// stringEnd is where the string that begins at i ends, or limit.
func stringEnd(text string, i, limit int) int {
	for i++; i < limit; i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}

	return limit
}

// addName keeps a string that may be the name of a member.
func (s *jsonScan) addName(text string, start, end int) {
	top := &s.frames[len(s.frames)-1]
	if !top.list && end-1 > start && text[end-1] == '"' && strings.HasPrefix(strings.TrimLeft(text[end:min(end+8, len(text))], " \t\r\n"), ":") {
		top.key = text[start+1 : end-1]
	}
}

// position describes between which elements the scan has ended.
func (s *jsonScan) position() string {
	const longestKey, deepest = 60, 8
	path := "$"
	for i, f := range s.frames {
		last := i == len(s.frames)-1
		if i >= deepest && !last {
			continue
		}
		switch {
		case f.list:
			path += fmt.Sprintf("[%d]", f.at)
		case !last:
			path += "." + strings.ToValidUTF8(f.key[:min(len(f.key), longestKey)], "")
		default:
			return "in the object " + path + ", behind its member " + wording.QuoteStart(f.key)
		}
	}

	return "before " + path
}
