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

// ambiguousKey finds two keys of one state, agent or step that are equal once they are trimmed and
// lower-cased. A reply with another spelling would match both.
var ambiguousKey = Pass{Name: "ambiguous-key", run: func(u *unit) {
	u.eachState(func(x *machine, s *ir.State) {
		u.reportFoldedDuplicates(ir.Map(s.Rows, func(row *ir.Row) ir.Text { return row.Key }), func(ir.Text) string { return fmt.Sprintf("state %q in machine %q", s.Name.Value, x.name()) })
	})
	u.eachConversation(func(a *ir.Agent, step *ir.Step) {
		if react, ok := step.Node.(*ir.React); ok {
			u.reportFoldedDuplicates(react.Keys, func(key ir.Text) string { return declarer(a, step, key.Span) })
		}
	})
}}

// reportFoldedDuplicates reports each key that folds to an earlier key of the list and is not
// written like any earlier one. describeOwner names the owner of a key.
func (u *unit) reportFoldedDuplicates(keys []ir.Text, describeOwner func(ir.Text) string) {
	folded, exact := map[string]ir.Text{}, map[string]bool{}
	for _, key := range keys {
		first, taken := folded[foldKey(key.Value)]
		if !taken {
			folded[foldKey(key.Value)] = key
		} else if !exact[key.Value] && !u.hasReported(diag.AmbiguousKey, key.Span) {
			u.report(diag.New(diag.AmbiguousKey, key.Span, "keys %q and %q of %s are equal when %s",
				first.Value, key.Value, describeOwner(key), describeFolding(first.Value, key.Value)).
				WithHint("give them different names").
				Note(first.Span, "the first of them"))
		}
		exact[key.Value] = true
	}
}

// foldKey folds a key as the runtime compares it and as a person sees it: composed, without
// invisible characters, and with Latin letters in place of their lookalikes.
func foldKey(key string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		if latin, ok := latinLookalikes[r]; ok {
			return latin
		}
		return r
	}, composedKey(key))
}

// composedKey folds a key as the runtime compares it, in the composed form of Unicode.
func composedKey(key string) string { return norm.NFC.String(ir.FoldKey(key)) }

// latinLookalikes maps small letters of other alphabets to the Latin letters that they look like.
var latinLookalikes = map[rune]rune{
	'а': 'a', 'с': 'c', 'ԁ': 'd', 'е': 'e', 'һ': 'h', 'і': 'i', 'ј': 'j', 'о': 'o', 'р': 'p', 'ԛ': 'q', 'ѕ': 's',
	'ѵ': 'v', 'ԝ': 'w', 'х': 'x', 'у': 'y', // Cyrillic
	'α': 'a', 'ι': 'i', 'ν': 'v', 'ο': 'o', 'ρ': 'p', // Greek
}

// describeFolding describes what makes two keys equal.
func describeFolding(a, b string) string {
	switch {
	case ir.FoldKey(a) == ir.FoldKey(b):
		return "trimmed and lower-cased"
	case composedKey(a) == composedKey(b):
		return "their accents are composed: they look the same"
	}

	return fmt.Sprintf("letters that look alike are the same, but they are %s and %s", strconv.QuoteToASCII(a), strconv.QuoteToASCII(b))
}
