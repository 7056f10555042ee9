package verify

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
)

// truth is an expression over data in the logic of three values.
func (s *scope) truth(x ir.Expression) string {
	value := func(x ir.Expression) string { return s.term(x).value() }
	call := func(name string, args ...string) string {
		return "workflow." + name + "(" + strings.Join(args, ", ") + ")"
	}
	if !ir.ReadsData(x) {
		return call("Known", s.condition(x).text)
	}
	switch x := x.(type) {
	case *ir.Tuple:
		return call("Known", s.condition(x).text)
	case *ir.Not:
		return call("Not", s.truth(x.X))
	case *ir.Logic:
		var operands []string
		for _, operand := range x.X {
			operands = append(operands, s.truth(operand))
		}
		return call(map[bool]string{true: "Any", false: "All"}[x.Or], operands...)
	case *ir.Contains:
		if in := call("IsIn", value(x.Y), value(x.X)); x.Not {
			return call("Not", in)
		} else {
			return in
		}
	case *ir.Compare:
		return s.truthOfCompare(x, call)
	case *ir.Method:
		switch x.Name {
		case "startswith":
			return call("HasStart", value(x.X), value(x.Arg))
		case "endswith":
			return call("HasEnd", value(x.X), value(x.Arg))
		}
	}
	if ir.Declared(x) {
		return call("IsFilled", value(x))
	}

	return call("IsTrue", value(x))
}

func (s *scope) truthOfCompare(x *ir.Compare, call func(string, ...string) string) string {
	if ir.ComparesNone(x) {
		return call("Known", s.compare(x).text)
	}
	a, b := s.term(x.X).value(), s.term(x.Y).value()
	switch x.Op {
	case ir.OpNotEqual:
		return call("Not", call("Is", a, b))
	case ir.OpLess:
		return call("IsLess", a, b)
	case ir.OpLessEqual:
		return call("IsAtMost", a, b)
	case ir.OpGreater:
		return call("IsLess", b, a)
	case ir.OpGreaterEqual:
		return call("IsAtMost", b, a)
	}

	return call("Is", a, b)
}
