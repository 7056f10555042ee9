package schemadoc

import (
	"math"
	"strconv"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

func (w *work) array() {
	if f := w.node.Get("items"); f != nil && f.Value.Kind == yamldoc.Seq {
		w.report(diag.SchemaUnsupported, f.Value.Span, "a schema for each place of a list cannot become Go: %s", adviseTuple)
	} else if f != nil {
		w.schema.Items = w.lowerer.schema(f.Value, w.depth+1)
		if w.schema.Items != nil {
			w.shown[f] = w.schema.Items.JSON
		}
	}
	w.schema.MinItems, w.schema.MaxItems = w.counts("minItems", "maxItems")
	w.schema.UniqueItems = w.boolOf("uniqueItems")
}

func (w *work) text() {
	w.schema.MinLength, w.schema.MaxLength = w.counts("minLength", "maxLength")
	pattern := w.textOf("pattern")
	if pattern == "" {
		return
	}
	translated, err := goPattern(pattern)
	if err != nil {
		w.report(diag.BadValue, w.node.Value("pattern").Span, "the pattern %q %s", pattern, err)
		return
	}
	w.schema.Pattern, w.schema.GoPattern = pattern, translated
}

// counts reads a lower and an upper bound that are whole numbers of at least 0.
func (w *work) counts(least, most string) (low, high *int) {
	low, high = w.count(least), w.count(most)
	if low != nil && high != nil && *low > *high {
		w.report(diag.BadValue, w.node.Value(most).Span, "%q is %d, below %q, which is %d: nothing fits", most, *high, least, *low)
	}

	return low, high
}

func (w *work) count(key string) *int {
	v := w.node.Value(key)
	if v == nil {
		return nil
	}
	r, ok := rational(v)
	if !ok || !r.IsInt() {
		w.report(diag.WrongType, v.Span, "%q must be a whole number, found %s", key, found(v))
		return nil
	}
	n, err := strconv.Atoi(r.Num().String())
	if err != nil || n < 0 || n > math.MaxInt32 {
		w.report(diag.BadValue, v.Span, "%q must be from 0 to %d, found %s", key, math.MaxInt32, found(v))
		return nil
	}

	return &n
}

// found describes a value in a message.
func found(n *yamldoc.Node) string { return sample.Describe(n.JSON()) }
