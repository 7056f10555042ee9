package rt

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime"
)

// Brief is a list of titled texts: the task and the results of earlier steps, for the prompt of a
// step. A title is a lower-case word or two.
type Brief [][2]string

// Add returns the brief with one more text. It never writes into b's array, so that two calls on
// the same b are independent.
func (b Brief) Add(title, text string) Brief {
	return append(b[:len(b):len(b)], [2]string{title, text})
}

// String formats the texts for a model, each between tags named after its title. Texts are
// unchanged, empty ones are left out, and a single text has no title. A text that could close its
// own block gets another tag.
func (b Brief) String() string {
	said, only, size := 0, "", 0
	for _, section := range b {
		if section[1] == "" {
			continue
		}
		said, only = said+1, section[1]
		size += 2*len(section[0]) + len(section[1]) + len("<>\n\n</>\n\n")
	}
	if said <= 1 {
		return only
	}

	var out strings.Builder
	out.Grow(size)
	for _, section := range b {
		if text := section[1]; text != "" {
			tag := openBlock(&out, tagName(section[0]), text)
			closeBlock(&out, tag, text)
		}
	}

	return out.String()
}

// Document formats the texts for people, each after its title. Empty ones are left out.
func (b Brief) Document() runtime.Finish {
	var out strings.Builder
	for _, section := range b {
		if section[1] == "" {
			continue
		}
		startParagraph(&out)
		first, size := utf8.DecodeRuneInString(section[0])
		if size > 0 {
			out.WriteRune(unicode.ToUpper(first))
			out.WriteString(section[0][size:] + ": ")
		}
		out.WriteString(section[1])
	}

	return runtime.Finish{Value: out.String()}
}

// tagName is a title as the name of a tag.
func tagName(title string) string {
	if title == "" {
		return "text"
	}

	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' {
			return r
		}

		return '-'
	}, title)
}
