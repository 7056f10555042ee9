package emit

import (
	"cmp"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// arithmeticScalar returns arithmetic as a number of Go. It is another expression if Go would
// compute something else: if the result may be too large, or for a quotient.
func (v *view) arithmeticScalar(x *ir.Arithmetic) scalarExpr {
	a, b := v.scalarOf(x.X), v.scalarOf(x.Y)
	kind := a.kind
	if isWholeNumber(a, x.X, b.kind) {
		kind = b.kind
	}
	isSameType := a.kind == b.kind || isWholeNumber(a, x.X, b.kind) || isWholeNumber(b, x.Y, a.kind)
	if !isSameType || !isGoArithmetic(x, kind) {
		return scalarExpr{}
	}
	prec := sumPrecedence
	if x.Op == ir.OpTimes || x.Op == ir.OpModulo {
		prec = productPrecedence
	}

	return scalarExpr{kind: kind, needs: mergePointers(a.needs, b.needs), native: func() term {
		return term{code: a.native().operand(prec).Op(string(x.Op)).Add(b.native().operand(prec + 1)), prec: prec}
	}}
}

// isGoArithmetic reports whether Go computes what the language does: nothing is too large, numbers
// are exact, and a remainder has the sign of the divisor.
func isGoArithmetic(x *ir.Arithmetic, kind ir.SchemaKind) bool {
	operands := [...]builtin.Interval{builtin.IntervalOf(x.X), builtin.IntervalOf(x.Y)}
	switch {
	case x.Op == ir.OpDivide || builtin.CanFail(x):
		return false
	case kind == ir.SchemaInteger && x.Op == ir.OpModulo:
		return operands[0].Low >= 0 && operands[1].Low >= 0
	case kind == ir.SchemaInteger:
		return true
	}

	isExact := operands[0].IsExact() && operands[1].IsExact() && builtin.IntervalOf(x).IsExact()

	return kind == ir.SchemaNumber && x.Op != ir.OpModulo && isExact
}

// lengthScalar returns the length of a list of Go texts.
func (v *view) lengthScalar(x *ir.FuncCall) scalarExpr {
	f := v.fieldOfExpression(x.X)
	if f.form != formTexts || len(f.needs) > 0 || builtin.KindsOfExpression(x.X) != builtin.List {
		return scalarExpr{}
	}

	return alwaysThere(ir.SchemaInteger, jen.Int64().Call(jen.Len(f.fieldCode())))
}

// computedCode returns an expression as a value for a text or data, where one without a result is
// an error.
func (v *view) computedCode(x ir.Expression) *jen.Statement {
	code := v.valueCode(x)
	if builtin.HasFailures(x) {
		return code.Dot("Computed").Call(codeLiteral(cmp.Or(ir.SourceText(x), x.At().Text())))
	}

	return code
}

// checkedCode returns the call of work that first computes a text or data that can fail.
func checkedCode(work ...jen.Code) *jen.Statement {
	return inWorkflow("Checked").Call(attemptFunc(jen.Return(work...)))
}
