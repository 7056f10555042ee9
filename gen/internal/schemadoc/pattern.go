package schemadoc

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// goPattern translates a pattern of ECMA 262 (with flag u), which JSON Schema uses, to Go's regexp.
// The error describes an unsupported part. A pattern that is valid in both and has different
// meanings is translated ("." and \s) or refused.
func goPattern(pattern string) (string, error) {
	if _, err := regexp.Compile(pattern); err != nil {
		return "", invalidPattern(err)
	}
	var out strings.Builder
	where, before := outside, anything
	for rest := pattern; rest != ""; {
		i := slices.IndexFunc(tokens, func(t token) bool {
			return t.where&where != 0 && (t.before == anything || t.before == before) && t.form.MatchString(rest)
		})
		t, text := tokens[i], tokens[i].form.FindString(rest)
		if t.problem != "" {
			return "", fmt.Errorf(strings.ReplaceAll(t.problem, "TEXT", "%[1]s"), text)
		}
		out.WriteString(cmp.Or(t.becomes, text))
		rest = rest[len(text):]
		before = t.is
		if before == bracket {
			where ^= outside | inside
		}
	}

	// The translation of a valid pattern is valid; this is a safeguard.
	if _, err := regexp.Compile(out.String()); err != nil {
		return "", errors.New("cannot be translated to Go")
	}

	return out.String(), nil
}

// problems describe patterns that Go does not support.
var problems = map[syntax.ErrorCode]string{
	syntax.ErrInvalidPerlOp:         "is not valid in Go, which has no lookaround and does not know %s",
	syntax.ErrInvalidNamedCapture:   "is not valid in Go, which has no lookaround and does not know %s",
	syntax.ErrInvalidEscape:         "is not valid in Go: it does not know %s",
	syntax.ErrInvalidRepeatSize:     "is not valid in Go: it repeats too often (at most 1000 times)",
	syntax.ErrLarge:                 "is not valid in Go: it repeats too often (at most 1000 times)",
	syntax.ErrMissingParen:          "is not valid: its parentheses do not fit together",
	syntax.ErrUnexpectedParen:       "is not valid: its parentheses do not fit together",
	syntax.ErrMissingBracket:        "is not valid: a closing ] is missing",
	syntax.ErrMissingRepeatArgument: "is not valid: %s repeats nothing",
	syntax.ErrInvalidRepeatOp:       "is not valid: %s repeats nothing",
	syntax.ErrTrailingBackslash:     `is not valid: it ends with \`,
}

func invalidPattern(err error) error {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return errors.New("is not valid")
	}

	return errors.New(strings.ReplaceAll(cmp.Or(problems[e.Code], "is not valid at %s"), "%s", e.Expr))
}

const (
	anyButLineEnd = `[^\n\r\x{2028}\x{2029}]`
	// White space of ECMA 262: WhiteSpace and LineTerminator.
	spaces = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	// The complement of spaces, for use among other members of a class.
	noSpaces = `\x00-\x08\x{0e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}` +
		`\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`
)

// The position of a token: outside or inside of brackets.
const (
	outside = 1 << iota
	inside
	anywhere = outside | inside
)

// The kind of a token, which affects the next one.
const (
	anything  = iota
	assertion // matches a place and no text
	set       // several characters, in brackets
	bracket   // begins or ends brackets
)

// token is a part of a pattern, with its translation ("" for itself) or the reason why it is
// refused.
type token struct {
	form    *regexp.Regexp
	where   int
	before  int // the required kind of the previous token
	is      int
	becomes string
	problem string
}

const (
	differs   = "means different things in Go and in ECMA 262: "
	notInECMA = "is not valid in ECMA 262: "
)

// tokens are tried in this order.
var tokens = []token{
	{form: form(`\\[bB]`), where: outside, is: assertion},
	{form: form(`\\[bB]`), where: inside, problem: differs + "TEXT in brackets"},
	{form: form(`-[^\]]`), where: inside, before: set, problem: notInECMA + `a - behind a set of characters is written \-`},
	{form: form(`\\s`), where: outside, becomes: "[" + spaces + "]"},
	{form: form(`\\S`), where: outside, becomes: "[^" + spaces + "]"},
	{form: form(`\\s`), where: inside, is: set, becomes: spaces},
	{form: form(`\\S`), where: inside, is: set, becomes: noSpaces},
	{form: form(`\\[dDwW]`), where: anywhere, is: set},
	{form: form(`\\[nrtfv]|\\x[^{].`), where: anywhere},
	{form: form(`\\0[0-9]`), where: anywhere, problem: differs + `\0`},
	{form: form(`\\0`), where: anywhere, becomes: `\x00`},
	{form: form(`\\[pP]\{(?:L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?)\}`), where: anywhere, is: set},
	{form: form(`\\[pP]`), where: anywhere, problem: differs + "behind TEXT only {L}, {Lu} and the other categories are the same"},
	{form: form(`\\[0-9A-Za-z]`), where: anywhere, problem: differs + "TEXT"},
	{form: form(`\\.`), where: anywhere},

	{form: form(`\[:`), where: inside, problem: differs + `in brackets, [: is written \[: there`},
	{form: form(`\]`), where: inside, is: bracket},
	{form: form(`\[\^?\]`), where: outside, problem: differs + `a ] right behind [ is written \]`},
	{form: form(`\[\^?`), where: outside, is: bracket},
	{form: form(`\.`), where: outside, becomes: anyButLineEnd},
	{form: form(`\(\?:|\(\?<[^>]*>`), where: outside},
	{form: form(`\(\?`), where: outside, problem: notInECMA + "expected (?: or (?<name> behind ( and ?"},
	{form: form(`[\^$]`), where: outside, is: assertion},
	{form: form(`[*+?]`), where: outside, before: assertion, problem: notInECMA + "TEXT repeats a place"},
	{form: form(`\{`), where: outside, before: assertion, problem: notInECMA + `a { that counts nothing is written \{`},
	{form: form(`\{[0-9]+(?:,[0-9]*)?\}`), where: outside},
	{form: form(`\{`), where: outside, problem: notInECMA + `a { that counts nothing is written \{`},
	{form: form(`[}\]]`), where: outside, problem: notInECMA + `a TEXT alone is written \TEXT`},
	{form: form(`.`), where: anywhere},
}

// form matches a token at the beginning of a text.
func form(text string) *regexp.Regexp { return regexp.MustCompile(`^(?s:` + text + `)`) }
