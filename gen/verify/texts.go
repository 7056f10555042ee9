package verify

import (
	"fmt"
	"go/ast"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// stateTexts compares String, Parse, MarshalText and UnmarshalText of the states.
func (m *machine) stateTexts() {
	got := map[*ir.State][]string{}
	m.cases(function{name: "String", results: "string", rest: `return ""`}, func(c *ast.CaseClause, within []*ir.State) {
		results := m.results("String", 1, c.Body...)
		if m.err != nil {
			return
		}
		text, _ := constant(results[0])
		m.give("String", got, c, within, []string{text})
	})
	for _, s := range m.ir.States {
		m.same(fmt.Sprintf("String, state %q", s.Name.Value), []string{s.Name.Value}, got[s])
	}

	m.parseState()
	m.writtenFunc(m.method("MarshalText"), "func (s "+m.stateType()+`) MarshalText() ([]byte, error) {
		return []byte(s.String()), nil
	}`)
	m.writtenFunc(m.method("UnmarshalText"), "func (s *"+m.stateType()+`) UnmarshalText(text []byte) (err error) {
		if len(text) == 0 {
			*s = 0
			return nil
		}
		*s, err = `+names.ParseState(m.name)+`(string(text))
		return err
	}`)
}

// parseState compares the function that finds a state by its name, whole or in pieces.
func (m *machine) parseState() {
	name := names.ParseState(m.name)
	body := m.function(name)
	if m.err != nil {
		return
	}
	m.head(name, "func "+name+"(text string) ("+m.stateType()+", error)")
	m.written(name+", the end", "return 0, "+m.unknown("state"), body[len(body)-1])
	if m.err != nil {
		return
	}

	var got []string
	if _, isSwitch := body[0].(*ast.SwitchStmt); isSwitch && len(body) == 2 {
		got = m.parsed(name, body[0], 2)
	} else {
		for _, stmt := range body[:len(body)-1] {
			got = append(got, m.parsedPiece(name, stmt, len(got))...)
		}
	}

	var want []string
	for _, s := range m.ir.States {
		want = append(want, s.Name.Value+" is "+s.Name.Value)
	}
	m.same(name, want, got)
}

// parsed reads the cases of a switch over a state's name that return n values.
func (m *machine) parsed(name string, stmt ast.Stmt, n int) []string {
	var got []string
	for _, c := range m.clauses(name, "text", stmt) {
		results := m.results(name, n, c.Body...)
		if m.err != nil {
			return nil
		}
		if len(c.List) != 1 {
			m.fail(name, "one name in a case", m.text(c))
			return nil
		}
		if n == 2 {
			m.written(name, "nil", results[1])
		}
		text, _ := constant(c.List[0])
		if s := m.state(name, results[0]); s != nil {
			got = append(got, text+" is "+s.Name.Value)
		}
	}

	return got
}

// parsedPiece reads a call of a piece, which begins with the state that comes after the first done ones, and the piece.
func (m *machine) parsedPiece(name string, call ast.Stmt, done int) []string {
	if m.err != nil || done >= len(m.ir.States) {
		m.fail(name, "no more pieces", "one")
		return nil
	}
	function := names.Range("parse"+m.stateType(), m.ir.States[done].Name.Value)
	m.written(name, "if s := "+function+"(text); s != 0 { return s, nil }", call)
	body := m.function(function)
	if m.err != nil {
		return nil
	}
	if len(body) != 2 {
		m.fail(function, "a switch and a return", strconv.Itoa(len(body))+" statements")
		return nil
	}
	m.head(function, "func "+function+"(text string) "+m.stateType())
	m.written(function+", the end", "return 0", body[1])

	return m.parsed(function, body[0], 1)
}

func (m *machine) unknown(kind string) string {
	return "&runtime.UnknownNameError{Machine: " + strconv.Quote(m.title) + `, Kind: "` + kind + `", Name: text}`
}

// keyTexts compares String, Parse, MarshalText and UnmarshalText of the keys.
func (m *machine) keyTexts() {
	if m.err != nil {
		return
	}
	typ, parse := m.keyType(), names.ParseKey(m.name)
	m.writtenFunc(typ+".String", "func (k "+typ+") String() string { return string(k) }")
	m.writtenFunc(typ+".MarshalText", "func (k "+typ+") MarshalText() ([]byte, error) { return []byte(k), nil }")
	if len(m.keys) == 0 {
		m.absent(parse)
		m.writtenFunc(typ+".UnmarshalText", "func (k *"+typ+") UnmarshalText(text []byte) error { *k = "+typ+"(text); return nil }")
		return
	}
	m.writtenFunc(typ+".UnmarshalText", "func (k *"+typ+`) UnmarshalText(text []byte) (err error) {
		*k, err = `+parse+`(string(text))
		return err
	}`)

	var constants []string
	for _, key := range names.Keys(m.ir) {
		constants = append(constants, names.Key(m.name, key.Value))
	}
	m.writtenFunc(parse, "func "+parse+"(text string) ("+typ+`, error) {
		switch key := `+typ+`(text); key {
		case `+strings.Join(constants, ", ")+`:
			return key, nil
		}
		return "", `+m.unknown("key")+`
	}`)
}
