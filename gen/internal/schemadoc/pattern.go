package schemadoc

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// JSON Schema takes its patterns from ECMA 262; generated code uses Go's regexp. goPattern returns a pattern that means in
// Go what the given one means in ECMA 262 (with flag u), or says what cannot be had. Where one pattern is valid in
// both and means different things, it is translated ("." and \s) or refused.
func goPattern(pattern string) (string, error) {
	if _, err := regexp.Compile(pattern); err != nil {
		return "", invalidPattern(err)
	}
	p := &patternReader{rest: pattern}
	for p.rest != "" {
		if err := p.next(); err != nil {
			return "", err
		}
	}

	// What was translated is valid where the original was; this guards against the opposite.
	if _, err := regexp.Compile(p.out.String()); err != nil {
		return "", errors.New("cannot be translated to Go")
	}

	return p.out.String(), nil
}

func invalidPattern(err error) error {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return errors.New("is not valid")
	}
	switch e.Code {
	case syntax.ErrInvalidPerlOp, syntax.ErrInvalidNamedCapture:
		return fmt.Errorf("is not valid in Go, which has no lookaround and does not know %s", e.Expr)
	case syntax.ErrInvalidEscape:
		return fmt.Errorf("is not valid in Go: it does not know %s", e.Expr)
	case syntax.ErrInvalidRepeatSize, syntax.ErrLarge:
		return errors.New("is not valid in Go: it repeats too often (at most 1000 times)")
	case syntax.ErrMissingParen, syntax.ErrUnexpectedParen:
		return errors.New("is not valid: its parentheses do not fit together")
	case syntax.ErrMissingBracket:
		return errors.New("is not valid: a closing ] is missing")
	case syntax.ErrMissingRepeatArgument, syntax.ErrInvalidRepeatOp:
		return fmt.Errorf("is not valid: %s repeats nothing", e.Expr)
	case syntax.ErrTrailingBackslash:
		return errors.New(`is not valid: it ends with \`)
	}

	return fmt.Errorf("is not valid at %s", e.Expr)
}

const (
	anyButLineEnd = `[^\n\r\x{2028}\x{2029}]`
	// White space of ECMA 262: WhiteSpace and LineTerminator.
	spaces = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	// The complement of spaces, for use among other members of a class.
	noSpaces = `\x00-\x08\x{0e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}` +
		`\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`
)

var (
	counted  = regexp.MustCompile(`^\{[0-9]+(,[0-9]*)?\}`)
	category = regexp.MustCompile(`^\{(L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?)\}`)
)

// patternReader moves over a pattern that Go's regexp takes.
type patternReader struct {
	rest string
	out  strings.Builder
	// assertion says that what was read last matches a place and no text.
	assertion bool
}

func (p *patternReader) next() error {
	assertion := p.assertion
	p.assertion = false
	switch c := p.rest[0]; c {
	case '\\':
		return p.escape(false)
	case '[':
		return p.class()
	case '.':
		p.replace(1, anyButLineEnd)
	case '(':
		return p.group()
	case '^', '$':
		p.assertion = true
		p.keep(1)
	case '*', '+', '?':
		if assertion {
			return fmt.Errorf("is not valid in ECMA 262: %c repeats a place", c)
		}
		p.keep(1)
	case '{':
		count := counted.FindString(p.rest)
		if count == "" || assertion {
			return errors.New(`is not valid in ECMA 262: a { that counts nothing is written \{`)
		}
		p.keep(len(count))
	case '}', ']':
		return fmt.Errorf(`is not valid in ECMA 262: a %c alone is written \%c`, c, c)
	default:
		p.keep(1)
	}

	return nil
}

func (p *patternReader) keep(n int) { p.replace(n, p.rest[:n]) }

func (p *patternReader) replace(n int, by string) {
	p.out.WriteString(by)
	p.rest = p.rest[n:]
}

func (p *patternReader) group() error {
	switch {
	case !strings.HasPrefix(p.rest, "(?"):
		p.keep(1)
	case strings.HasPrefix(p.rest, "(?:"):
		p.keep(len("(?:"))
	case strings.HasPrefix(p.rest, "(?<"):
		p.keep(strings.IndexByte(p.rest, '>') + 1)
	default:
		return errors.New("is not valid in ECMA 262: expected (?: or (?<name> behind ( and ?")
	}

	return nil
}

// escape moves over a backslash and what belongs to it.
func (p *patternReader) escape(inClass bool) error {
	c := p.rest[1]
	switch {
	case c == 'b' || c == 'B':
		if inClass {
			return fmt.Errorf(`means different things in Go and in ECMA 262: \%c in brackets`, c)
		}
		p.assertion = true
		p.keep(2)
	case c == 's' && inClass:
		p.replace(2, spaces)
	case c == 's':
		p.replace(2, "["+spaces+"]")
	case c == 'S' && inClass:
		p.replace(2, noSpaces)
	case c == 'S':
		p.replace(2, "[^"+spaces+"]")
	case strings.IndexByte("dDwWnrtfv", c) >= 0:
		p.keep(2)
	case c == '0' && (len(p.rest) == 2 || p.rest[2] < '0' || p.rest[2] > '9'):
		p.replace(2, `\x00`)
	case c == 'x' && p.rest[2] != '{':
		p.keep(len(`\x00`))
	case (c == 'p' || c == 'P') && category.MatchString(p.rest[2:]):
		p.keep(2 + len(category.FindString(p.rest[2:])))
	case c == 'p' || c == 'P':
		return fmt.Errorf(`means different things in Go and in ECMA 262: behind \%c only {L}, {Lu} and the other categories are the same`, c)
	case c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		return fmt.Errorf(`means different things in Go and in ECMA 262: \%c`, c)
	default:
		p.keep(2)
	}

	return nil
}

// class moves over [...].
func (p *patternReader) class() error {
	p.keep(1)
	if strings.HasPrefix(p.rest, "^") {
		p.keep(1)
	}
	if strings.HasPrefix(p.rest, "]") {
		return errors.New(`means different things in Go and in ECMA 262: a ] right behind [ is written \]`)
	}
	for !strings.HasPrefix(p.rest, "]") {
		switch {
		case strings.HasPrefix(p.rest, "[:"):
			return errors.New(`means different things in Go and in ECMA 262: in brackets, [: is written \[: there`)
		case p.rest[0] != '\\':
			p.keep(1)
			continue
		}
		set := strings.IndexByte("dDwWsSpP", p.rest[1]) >= 0
		if err := p.escape(true); err != nil {
			return err
		}
		if set && len(p.rest) > 1 && p.rest[0] == '-' && p.rest[1] != ']' {
			return errors.New(`is not valid in ECMA 262: a - behind a set of characters is written \-`)
		}
	}
	p.keep(1)

	return nil
}
