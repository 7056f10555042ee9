package emit

import "github.com/dave/jennifer/jen"

// fields are the fields of a composite literal, a line each, in order.
type fields struct {
	lines []jen.Code
}

func (l *fields) set(name string, value jen.Code) {
	l.lines = append(l.lines, jen.Id(name).Op(":").Add(value))
}

// text sets a field unless the text is empty.
func (l *fields) text(name, value string) {
	if value != "" {
		l.set(name, text(value))
	}
}

// texts sets a field to a list of texts unless it is empty.
func (l *fields) texts(name string, values []string) {
	if len(values) > 0 {
		l.set(name, jen.Index().String().Values(list(literals(values))))
	}
}

// literal returns a composite literal of the fields, on one line if it fits there. depth is how many tabs stand for what is
// before it.
func (l *fields) literal(depth int, of *jen.Statement) *jen.Statement {
	return fitted(depth, func(broken bool) *jen.Statement {
		if broken {
			return of.Clone().Add(l.braces())
		}
		return of.Clone().Values(l.lines...)
	})
}

// braces returns the fields in braces, a line each.
func (l *fields) braces() *jen.Statement {
	return jen.Custom(block, l.lines...)
}
