package check

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// ambiguousKey finds two keys of a state, or two that an agent or a step declares, that are equal once they are trimmed and
// lower-cased: an answer that is neither of them exactly would mean both.
var ambiguousKey = Pass{Name: "ambiguous-key", run: func(u *unit) {
	u.eachState(func(x *machine, s *ir.State) {
		u.sameKeys(ir.Map(s.Rows, func(row *ir.Row) ir.Text { return row.Key }), func(ir.Text) string { return fmt.Sprintf("state %q in machine %q", s.Name.Value, x.name()) })
	})
	u.eachConversation(func(a *ir.Agent, step *ir.Step) {
		if react, ok := step.Node.(*ir.React); ok {
			u.sameKeys(react.Keys, func(key ir.Text) string { return declarer(a, step, key.Span) })
		}
	})
}}

// sameKeys reports keys that are another one before them when folded, and not written as any before.
func (u *unit) sameKeys(keys []ir.Text, whose func(ir.Text) string) {
	folded, exact := map[string]ir.Text{}, map[string]bool{}
	for _, key := range keys {
		first, taken := folded[foldKey(key.Value)]
		if !taken {
			folded[foldKey(key.Value)] = key
		} else if !exact[key.Value] && !u.found(diag.AmbiguousKey, key.Span) {
			u.report(diag.New(diag.AmbiguousKey, key.Span, "keys %q and %q of %s are equal when %s",
				first.Value, key.Value, whose(key), folding(first.Value, key.Value)).
				WithHint("give them different names").
				Note(first.Span, "the first of them"))
		}
		exact[key.Value] = true
	}
}

// foldKey is a key as the runtime compares it and as it looks: composed, without signs that are not seen, and with
// Latin letters for those of other alphabets that look like them.
func foldKey(key string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		if latin, ok := looksLike[r]; ok {
			return latin
		}
		return r
	}, composed(key))
}

// composed is a key as the runtime compares it, in the composed form of Unicode.
func composed(key string) string { return norm.NFC.String(ir.FoldKey(key)) }

// looksLike are the Latin letters that small letters of other alphabets look like.
var looksLike = map[rune]rune{
	'а': 'a', 'с': 'c', 'ԁ': 'd', 'е': 'e', 'һ': 'h', 'і': 'i', 'ј': 'j', 'о': 'o', 'р': 'p', 'ԛ': 'q', 'ѕ': 's',
	'ѵ': 'v', 'ԝ': 'w', 'х': 'x', 'у': 'y', // Cyrillic
	'α': 'a', 'ι': 'i', 'ν': 'v', 'ο': 'o', 'ρ': 'p', // Greek
}

// folding says what makes two keys equal.
func folding(a, b string) string {
	switch {
	case ir.FoldKey(a) == ir.FoldKey(b):
		return "trimmed and lower-cased"
	case composed(a) == composed(b):
		return "their accents are composed: they look the same"
	}

	return fmt.Sprintf("letters that look alike are the same, but they are %s and %s", strconv.QuoteToASCII(a), strconv.QuoteToASCII(b))
}
