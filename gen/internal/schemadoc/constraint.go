package schemadoc

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

func (w *schemaBuilder) lowerArray() {
	if f := w.node.Field("items"); f != nil && f.Value.Kind == yamldoc.Seq {
		w.report(diag.SchemaUnsupported, f.Value.Span, "a schema per position of a list cannot become Go: %s", adviseTuple)
	} else if f != nil {
		w.schema.Items = w.lowerer.lowerSchema(f.Value, w.depth+1)
		if w.schema.Items != nil {
			w.shown[f] = w.schema.Items.JSON
		}
	}
	w.schema.MinItems, w.schema.MaxItems = w.lowerCounts("minItems", "maxItems")
	unique := w.node.Value("uniqueItems")
	w.schema.UniqueItems = unique != nil && unique.JSON() == true
}

func (w *schemaBuilder) lowerText() {
	w.schema.MinLength, w.schema.MaxLength = w.lowerCounts("minLength", "maxLength")
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

// lowerCounts lowers a minimum and a maximum count.
func (w *schemaBuilder) lowerCounts(least, most string) (low, high *int) {
	low, high = w.lowerCount(least), w.lowerCount(most)
	if low != nil && high != nil && *low > *high {
		w.report(diag.BadValue, w.node.Value(most).Span, "%q is %d, below %q, which is %d: nothing fits", most, *high, least, *low)
	}

	return low, high
}

func (w *schemaBuilder) lowerCount(key string) *int {
	v := w.node.Value(key)
	if v == nil {
		return nil
	}
	text, ok := jsonNumber(v)
	r := ir.ParseRational(text)
	if !ok || !r.IsInt() {
		w.report(diag.WrongType, v.Span, "%q must be a whole number, found %s", key, describeFound(v))
		return nil
	}
	n, err := strconv.Atoi(r.Num().String())
	if err != nil || n < 0 || n > math.MaxInt32 {
		w.report(diag.BadValue, v.Span, "%q must be from 0 to %d, found %s", key, math.MaxInt32, describeFound(v))
		return nil
	}

	return &n
}

// describeFound describes a value in a message.
func describeFound(n *yamldoc.Node) string { return sample.Describe(n.JSON()) }

func (w *schemaBuilder) lowerNumber() {
	s := w.schema
	s.Minimum = w.lowerBound("minimum")
	s.Maximum = w.lowerBound("maximum")
	s.ExclusiveMinimum = w.lowerBound("exclusiveMinimum")
	s.ExclusiveMaximum = w.lowerBound("exclusiveMaximum")
	s.MultipleOf = w.lowerBound("multipleOf")
	if step := ir.ParseRational(s.MultipleOf); step != nil && step.Sign() <= 0 {
		w.report(diag.BadValue, w.node.Value("multipleOf").Span, "%q must be greater than 0, found %s", "multipleOf", s.MultipleOf)
		s.MultipleOf = ""
	}
	w.checkRange()
}

// lowerBound lowers the number of a keyword, or returns "".
func (w *schemaBuilder) lowerBound(key string) string {
	v := w.node.Value(key)
	if v == nil {
		return ""
	}
	text, ok := jsonNumber(v)
	switch {
	case !ok:
		w.report(diag.WrongType, v.Span, "%q must be a number, found %s", key, describeFound(v))
		return ""
	case w.schema.Kind == ir.SchemaNumber && !ir.IsExactFloat(text):
		w.report(diag.BadValue, v.Span, "%q has more digits than a float64 keeps, found %s", key, describeFound(v))
		return ""
	}

	return text
}

// checkRange reports bounds that exclude every value, at the later one.
func (w *schemaBuilder) checkRange() {
	low, high := w.schema.Range()
	isWhole := w.schema.Kind == ir.SchemaInteger
	isEmpty := false
	if low.Value != nil && high.Value != nil {
		isEmpty = low.Value.Cmp(high.Value) > 0 || low.Value.Cmp(high.Value) == 0 && (low.Open || high.Open)
		if first, last := w.schema.IntegerRange(); isWhole {
			isEmpty = first.Cmp(last) > 0
		}
	}
	switch {
	case isEmpty:
		last := w.node.Value(low.Keyword)
		if v := w.node.Value(high.Keyword); v.Span.Start > last.Span.Start {
			last = v
		}
		w.report(diag.BadValue, last.Span, "no value fits both %q and %q", low.Keyword, high.Keyword)
	case isWhole && low.Value != nil && low.Value.Cmp(maxInt64) > 0:
		w.report(diag.BadValue, w.node.Value(low.Keyword).Span, "%q leaves no whole number of 64 bits", low.Keyword)
	case isWhole && high.Value != nil && high.Value.Cmp(minInt64) < 0:
		w.report(diag.BadValue, w.node.Value(high.Keyword).Span, "%q leaves no whole number of 64 bits", high.Keyword)
	}
}

var (
	minInt64 = new(big.Rat).SetInt64(-1 << 63)
	maxInt64 = new(big.Rat).SetInt64(1<<63 - 1)
)

// jsonNumber returns a number in JSON; ok is false if a float64 cannot hold it.
func jsonNumber(n *yamldoc.Node) (text string, ok bool) {
	if n.Kind != yamldoc.Int && n.Kind != yamldoc.Float {
		return "", false
	}
	text = string(n.JSON().(json.Number))
	_, err := strconv.ParseFloat(text, 64)

	return text, err == nil && ir.ParseRational(text) != nil
}

// lowerEnum lowers enum or const.
func (w *schemaBuilder) lowerEnum() {
	enum, constant := w.node.Field("enum"), w.node.Field("const")
	switch {
	case enum != nil && constant != nil:
		w.report(diag.SchemaUnsupported, constant.Key.Span, "both enum and const cannot become Go: one of them is enough")
	case constant != nil:
		w.lowerValues(constant.Value, []*yamldoc.Node{constant.Value})
	case enum != nil && enum.Value.Kind != yamldoc.Seq:
		w.report(diag.WrongType, enum.Value.Span, "%q must be a list, found %s", "enum", enum.Value.Kind)
	case enum != nil && len(enum.Value.Items) == 0:
		w.report(diag.BadValue, enum.Value.Span, "the enum is empty: nothing fits")
	case enum != nil:
		w.lowerValues(enum.Value, enum.Value.Items)
	}
}

func (w *schemaBuilder) lowerValues(all *yamldoc.Node, values []*yamldoc.Node) {
	switch w.schema.Kind {
	case ir.SchemaAny:
		w.report(diag.SchemaUnsupported, all.Span, "an enum of values of several types, of lists or of mappings cannot become Go")
		return
	case ir.SchemaObject, ir.SchemaArray:
		w.report(diag.SchemaUnsupported, all.Span, "an enum of values of type %s cannot become Go", kindName(w.schema.Kind))
		return
	}

	hasNull, allowed := false, []string{}
	var places []source.Span
	seen := map[string]bool{}
	for _, v := range values {
		if problem := sample.DescribeMisfit(w.schema, v.CompactJSON()); problem != "" {
			w.report(diag.BadValue, v.Span, "%s in the enum does not fit its own schema: %s", describeFound(v), problem)
			continue
		}
		identity := sample.CanonicalText(v.JSON())
		if seen[identity] {
			w.report(diag.BadValue, v.Span, "%s is in the enum twice", describeFound(v))
			continue
		}
		seen[identity] = true
		if v.Kind == yamldoc.Null {
			hasNull = true
			continue
		}
		allowed = append(allowed, v.CompactJSON())
		places = append(places, v.Span)
	}

	// A schema that lists its values accepts null only if it is listed.
	w.schema.Nullable = w.schema.Nullable && hasNull
	if len(allowed) == 0 && w.lenient {
		return
	}
	if len(allowed) == 0 && hasNull {
		w.report(diag.SchemaUnsupported, all.Span, "a value that is always null cannot become Go: leave it out")
	}
	w.schema.Enum, w.schema.EnumAt = allowed, places
}

// checkDefault lowers the default, which must fit the schema.
func (w *schemaBuilder) checkDefault() {
	f := w.node.Field("default")
	if f == nil {
		return
	}
	if problem := sample.DescribeMisfit(w.schema, f.Value.CompactJSON()); problem != "" {
		w.report(diag.BadValue, f.Value.Span, "the default does not fit its own schema: %s", problem)
		return
	}
	w.schema.Default = f.Value.CompactJSON()
}
