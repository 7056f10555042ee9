package verify

import (
	"strconv"

	"github.com/agentc-dev/agentc/gen/ir"
)

// literalTerm is a literal.
func literalTerm(x *ir.Literal) term {
	switch value := x.Value.(type) {
	case bool:
		return boolean(strconv.FormatBool(value))
	case string:
		return term{text: quoted(value), kind: ir.SchemaString}
	case int64:
		return term{text: strconv.FormatInt(value, 10), kind: ir.SchemaInteger}
	case float64:
		return term{text: strconv.FormatFloat(value, 'g', -1, 64), kind: ir.SchemaNumber}
	}

	return dynamic("workflow.None")
}

// method is a method of a text.
func (s *scope) method(x *ir.Method) term {
	of := s.term(x.X)
	if x.Arg != nil {
		return hasEnd(x.Name, of, s.term(x.Arg))
	}
	if of.isText() {
		function := map[string]string{"lower": "ToLower", "upper": "ToUpper", "strip": "TrimSpace"}[x.Name]
		return term{
			text: "strings." + function + "(" + of.text + ")", kind: ir.SchemaString, needs: of.needs,
			whole: methodOf(of, x.Name),
		}
	}

	return dynamic(methodOf(of, x.Name))
}

// methodOf is a method of a workflow.Value.
func methodOf(of term, name string) string {
	return of.value() + "." + map[string]string{"lower": "Lower", "upper": "Upper", "strip": "Strip"}[name] + "()"
}

// hasEnd is the condition that a text begins or ends with another one.
func hasEnd(name string, of, end term) term {
	function, method := "HasPrefix", "StartsWith"
	if name == "endswith" {
		function, method = "HasSuffix", "EndsWith"
	}
	if of.isText() && end.isText() {
		return boolean("strings." + function + "(" + of.text + ", " + end.text + ")").where(merged(of.needs, end.needs))
	}

	return boolean(of.value() + "." + method + "(" + end.value() + ")")
}
