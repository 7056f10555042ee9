package frontend

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/size"
)

// What does not fit the schema reads as absent: that was reported at the place.

// Text returns a scalar with its place.
func Text(n *yamldoc.Node) ir.Text {
	text, ok := n.Scalar()
	if !ok {
		return ir.Text{}
	}

	return ir.Text{Value: text, Span: n.Span}
}

// Key returns the name of a field with its place.
func Key(f *yamldoc.Field) ir.Text { return ir.Text{Value: f.Key.Text, Span: f.Key.Span} }

// Texts returns the scalars of a list.
func Texts(n *yamldoc.Node) []ir.Text {
	var texts []ir.Text
	for _, item := range n.Elements() {
		if _, ok := item.Scalar(); ok {
			texts = append(texts, Text(item))
		}
	}

	return texts
}

// Number returns a number, or nil.
func Number(n *yamldoc.Node) *float64 {
	if n == nil || n.Kind != yamldoc.Int && n.Kind != yamldoc.Float {
		return nil
	}
	number, err := n.JSON().(json.Number).Float64()
	if err != nil {
		return nil
	}

	return &number
}

// Bool returns true or false; absent is false.
func Bool(n *yamldoc.Node) bool {
	return n != nil && n.Kind == yamldoc.Bool && strings.EqualFold(n.Text, "true")
}

// Whole returns a whole number, which may also be written as 2.0 or 1e3, or nil. What no machine counts to is reported: the schemas
// have no bounds so far out.
func (p *Project) Whole(n *yamldoc.Node) *int {
	number := Number(n)
	if number == nil || *number != math.Trunc(*number) {
		return nil
	}
	switch {
	case *number > math.MaxInt32:
		p.List.Add(diag.New(diag.BadValue, n.Span, "%s is too large: at most %d", n.Text, math.MaxInt32))
		return nil
	case *number < math.MinInt32:
		p.List.Add(diag.New(diag.BadValue, n.Span, "%s is too small: at least %d", n.Text, math.MinInt32))
		return nil
	}
	value := int(*number)

	return &value
}

// Settings returns the settings of a model that a mapping has, each under its name.
func (p *Project) Settings(n *yamldoc.Node) model.Settings {
	var settings model.Settings
	for _, setting := range model.SettingTable() {
		written := n.Value(setting.Name)
		number := Number(written)
		if number != nil && setting.IsWhole() && p.Whole(written) == nil {
			number = nil
		}
		if number != nil {
			setting.Set(&settings, *number)
		}
	}

	return settings
}

// Limit returns a whole number, or fallback.
func (p *Project) Limit(n *yamldoc.Node, fallback int) int {
	if limit := p.Whole(n); limit != nil {
		return *limit
	}

	return fallback
}

// Size returns a number of bytes; 0 without one. The schema reports what is not written as a size.
func (p *Project) Size(n *yamldoc.Node) int64 {
	if n == nil || n.Kind != yamldoc.String && n.Kind != yamldoc.Int {
		return 0
	}
	bytes, err := size.Parse(n.Text)
	if err != nil && bytes > 0 {
		p.List.Add(diag.New(diag.BadValue, n.Span, "%q %v", n.Text, err))
	}

	return bytes
}

// Budget reads what may be spent; nil if nothing is limited.
func (p *Project) Budget(n *yamldoc.Node) *ir.Budget {
	if n == nil || n.Kind != yamldoc.Map {
		return nil
	}
	b := &ir.Budget{
		Tokens: p.Limit(n.Value("tokens"), 0),
		USD:    p.Dollars(n.Value("usd")),
		Calls:  p.Limit(n.Value("calls"), 0),
		Time:   p.Duration(n.Value("time")),
	}
	if *b == (ir.Budget{}) {
		return nil
	}
	if b.Calls > 0 {
		b.CallsAt = n.Value("calls").Span
	}

	return b
}

// Duration returns a time; 0 without one. The schema reports what is not written as one.
func (p *Project) Duration(n *yamldoc.Node) time.Duration {
	text := Text(n)
	d, err := size.Duration(text.Value)
	switch {
	case err != nil && d > 0:
		p.List.Add(diag.New(diag.BadValue, text.Span, "%s %v", text.Value, err))
	case err == nil && d == 0:
		p.List.Add(diag.New(diag.BadValue, text.Span, "nothing can happen in %s", text.Value))
	}

	return d
}

// mostUSD is more money than anybody has, and can still be counted in millionths of a dollar.
const mostUSD = 1e12

// Dollars returns an amount of money; 0 without one. One that is too large to be counted is reported.
func (p *Project) Dollars(n *yamldoc.Node) float64 {
	usd := Number(n)
	switch {
	case usd == nil || *usd <= 0:
		return 0
	case *usd > mostUSD:
		p.List.Add(diag.New(diag.BadValue, n.Span, "%s dollars are too many: at most %.0f", n.Text, mostUSD))

		return mostUSD
	}

	return *usd
}

// maxFixRounds bounds how often a tree is fixed: what is below a misspelled field may have misspelled fields itself.
const maxFixRounds = 4

// Validated returns what does not fit the schema, and makes the tree what was most likely meant, whose own mistakes are reported too.
func Validated(kind validate.Kind, root *yamldoc.Node, f *source.File) []*diag.Diagnostic {
	var findings []*diag.Diagnostic
	for range maxFixRounds {
		unfit := slices.DeleteFunc(validate.Document(kind, root, f), func(d *diag.Diagnostic) bool {
			return slices.ContainsFunc(findings, func(known *diag.Diagnostic) bool { return known.Span == d.Span })
		})
		if len(unfit) == 0 {
			break
		}
		findings = append(findings, unfit...)
		applyFixes(root, unfit)
	}

	return findings
}

// applyFixes changes the tree as if the first fix of each error had been applied, where it replaces one key or word by
// another, so that a misspelling has no consequences: the machine below `staes` is read, and its own mistakes are found
// in the same run. Places stay those of the file. A key that its mapping has already is left alone.
func applyFixes(root *yamldoc.Node, findings []*diag.Diagnostic) {
	meant := map[source.Span]string{}
	for _, d := range findings {
		if d.Severity != diag.Error || len(d.Fixes) == 0 || len(d.Fixes[0].Edits) != 1 {
			continue
		}
		if edit := d.Fixes[0].Edits[0]; edit.New != "" {
			meant[edit.Span] = edit.New
		}
	}
	if len(meant) > 0 {
		replaceTexts(root, meant)
	}
}

func replaceTexts(n *yamldoc.Node, meant map[source.Span]string) {
	if text, ok := meant[diag.Unquoted(n.Span)]; ok && n.Kind == yamldoc.String {
		n.Text = text
	}
	for _, item := range n.Items {
		replaceTexts(item, meant)
	}
	for _, f := range n.Fields {
		if text, ok := meant[diag.Unquoted(f.Key.Span)]; ok && n.Field(text) == nil {
			f.Key.Text = text
		}
		replaceTexts(f.Value, meant)
	}
}
