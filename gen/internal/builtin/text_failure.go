package builtin

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// CanTextFail reports whether a text or data that a step computes before it starts can fail: an
// expression in it may have no result. The result of a map is one of them.
func CanTextFail(t *ir.Task) bool {
	if canDatumFail(t.Input) {
		return true
	}
	switch do := t.Do.(type) {
	case *ir.UseFunc:
		return canDatumFail(do.Params)
	case *ir.UseBuiltin:
		return slices.ContainsFunc(do.Args, canFieldFail)
	case *ir.Ask:
		return do.Message != nil && canPartsFail(do.Message.Parts)
	case *ir.Run:
		return do.Step != nil && do.Step.Template != nil && canPartsFail(do.Step.Template.Parts)
	case *ir.Loop:
		return canDatumFail(do.Result)
	case *ir.PassOn:
		return do.WaitText != nil // it may render to something else than a time
	case *ir.Branch, *ir.Receive, *ir.Import, *ir.Machine, *ir.Parallel, *ir.Return: // only the input
	}

	return false
}

// CanBlockFail reports whether a conditional block can fail: arithmetic in its condition may have no
// result, or what follows {{else}} would be rendered only because the condition is unknown.
func CanBlockFail(p *ir.IfPart) bool {
	return HasFailures(p.Cond) || p.Otherwise != nil && CanBeUnknown(p.Cond)
}

func canDatumFail(d *ir.Datum) bool {
	if d == nil {
		return false
	}
	inText := d.Text != nil && canPartsFail(d.Text.Parts)

	return inText || HasFailures(d.Value) || slices.ContainsFunc(d.List, canDatumFail) || slices.ContainsFunc(d.Fields, canFieldFail)
}

func canFieldFail(f ir.DatumField) bool { return canDatumFail(f.Value) }

func canPartsFail(parts []ir.Part) bool {
	return slices.ContainsFunc(parts, func(part ir.Part) bool {
		switch part := part.(type) {
		case *ir.Placeholder:
			return HasFailures(part)
		case *ir.IfPart:
			return CanBlockFail(part) || canPartsFail(part.Body) || canPartsFail(part.Otherwise)
		case *ir.EachPart:
			return HasFailures(part.Items) || canPartsFail(part.Body)
		}

		return false
	})
}
