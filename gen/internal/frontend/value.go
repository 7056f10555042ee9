package frontend

import (
	"cmp"
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

// A value that does not fit the schema, which has been reported, is read as absent.

// Text returns a scalar with its span.
func Text(n *yamldoc.Node) ir.Text {
	text, ok := n.Scalar()
	if !ok {
		return ir.Text{}
	}

	return ir.Text{Value: text, Span: n.Span}
}

// Key returns the name of a field with its span.
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

// Bool returns a boolean; an absent one is false.
func Bool(n *yamldoc.Node) bool {
	return n != nil && n.Kind == yamldoc.Bool && strings.EqualFold(n.Text, "true")
}

// CallTraits returns what fields declare about calls of a tool or a function; value returns the value
// of a field, or nil.
func CallTraits(value func(field string) *yamldoc.Node) ir.CallTraits {
	return ir.CallTraits{
		Effect:        ir.Effect(Text(value("effect")).Value),
		Idempotent:    Bool(value("idempotent")),
		OnUnknown:     cmp.Or(Text(value("on_unknown")).Value, "ask"),
		Interruptible: Bool(value("interruptible")),
	}
}

// ReadWholeNumber returns an integer, which may also be written as 2.0 or 1e3, or nil. It reports
// numbers beyond 32 bits, because the schemas have no such limits, and returns the nearest one.
func (p *Project) ReadWholeNumber(n *yamldoc.Node) *int {
	number := Number(n)
	if number == nil || *number != math.Trunc(*number) {
		return nil
	}
	value := int(max(math.MinInt32, min(math.MaxInt32, *number)))
	switch {
	case *number > math.MaxInt32:
		p.List.Add(diag.New(diag.BadValue, n.Span, "%s is too large: at most %d", n.Text, value))
	case *number < math.MinInt32:
		p.List.Add(diag.New(diag.BadValue, n.Span, "%s is too small: at least %d", n.Text, value))
	}

	return &value
}

// ReadSettings returns the settings in a mapping. It reports those that all of the models lack; their names are empty if
// they are not known.
func (p *Project) ReadSettings(n *yamldoc.Node, models ...ir.Text) model.Settings {
	var settings model.Settings
	for _, setting := range model.SettingTable() {
		written := n.Value(setting.Name)
		if written != nil && p.isLackedByAll(models, setting) {
			p.List.Add(diag.New(diag.UnusedField, n.Field(setting.Name).Key.Span, "field %q is not used: %q lacks it", setting.Name, models[0].Value).
				WithHint("leave it out").Warn())
		}
		switch {
		case written == nil:
		case setting.IsNumber():
			p.readNumberSetting(setting, written, &settings)
		default:
			p.readSetting(setting, written, &settings)
		}
	}

	return settings
}

// isLackedByAll reports whether the providers of all of the models lack a setting. Providers with a package of the project
// lack nothing.
func (p *Project) isLackedByAll(models []ir.Text, setting *model.Setting) bool {
	for _, m := range models {
		provider, _, _ := strings.Cut(m.Value, ":")
		isOwn := p.Program != nil && slices.ContainsFunc(p.Program.Providers, func(own *ir.Provider) bool {
			return own.Name.Value == provider && own.Import.Value != ""
		})
		if isOwn || !setting.IsLackedBy(provider) {
			return false
		}
	}

	return len(models) > 0
}

// readNumberSetting sets a setting whose values are numbers, unless its value is reported.
func (p *Project) readNumberSetting(setting *model.Setting, written *yamldoc.Node, settings *model.Settings) {
	number := Number(written)
	if number != nil && setting.Kind == model.KindWhole {
		whole := p.ReadWholeNumber(written)
		if whole == nil || float64(*whole) != *number { // it is reported
			number = nil
		}
	}
	if number != nil {
		setting.Set(settings, *number)
	}
}

// readSetting sets another setting. The schema reports values that are not allowed, but for those of further settings.
func (p *Project) readSetting(setting *model.Setting, written *yamldoc.Node, settings *model.Settings) {
	text := written.CompactJSON()
	if setting.Kind == model.KindLevel {
		text = Text(written).Value
	}
	var read model.Settings
	err := setting.Parse(&read, text)
	if err == nil {
		*settings = read.Or(*settings)
	} else if setting.Kind == model.KindObject {
		p.reportExtra(setting, written)
	}
}

// reportExtra reports the members of further settings that requests have already.
func (p *Project) reportExtra(setting *model.Setting, written *yamldoc.Node) {
	for _, f := range written.Fields {
		if name := f.Key.Text; model.IsSentMember(name) {
			p.List.Add(diag.New(diag.BadValue, f.Key.Span, "%q cannot be in %s: agentc sends it itself", name, setting.Name).
				WithHint("leave it out; a setting of models is written beside %s", setting.Name))
		}
	}
}

// ReadLimit returns an integer, or fallback.
func (p *Project) ReadLimit(n *yamldoc.Node, fallback int) int {
	if limit := p.ReadWholeNumber(n); limit != nil {
		return *limit
	}

	return fallback
}

// ReadSize returns a number of bytes, or 0. The schema reports other values.
func (p *Project) ReadSize(n *yamldoc.Node) int64 {
	if n == nil || n.Kind != yamldoc.String && n.Kind != yamldoc.Int {
		return 0
	}
	bytes, err := size.Parse(n.Text)
	if err != nil && bytes > 0 {
		p.List.Add(diag.New(diag.BadValue, n.Span, "%q %v", n.Text, err))
	}

	return bytes
}

// ReadBudget lowers a budget, or returns nil if it limits nothing.
func (p *Project) ReadBudget(n *yamldoc.Node) *ir.Budget {
	if n == nil || n.Kind != yamldoc.Map {
		return nil
	}
	b := &ir.Budget{
		Tokens: p.ReadLimit(n.Value("tokens"), 0),
		USD:    p.ReadDollars(n.Value("usd")),
		Calls:  p.ReadLimit(n.Value("calls"), 0),
		Time:   p.ReadDuration(n.Value("time")),
	}
	if *b == (ir.Budget{}) {
		return nil
	}
	if b.Calls > 0 {
		b.CallsAt = n.Value("calls").Span
	}

	return b
}

// ReadDuration returns a duration, or 0. The schema reports other values.
func (p *Project) ReadDuration(n *yamldoc.Node) time.Duration {
	text := Text(n)
	d, err := size.Duration(text.Value)
	switch {
	case err != nil && d > 0:
		p.List.Add(diag.New(diag.BadValue, text.Span, "%s %v", text.Value, err))
	case IsNoTime(text.Value):
		p.List.Add(diag.New(diag.BadValue, text.Span, "nothing can happen in %s", text.Value))
	}

	return d
}

// IsNoTime reports whether a text is a duration of 0.
func IsNoTime(text string) bool {
	d, err := size.Duration(text)

	return err == nil && d == 0
}

// mostUSD is the maximum amount of money, which is still exact in millionths of a dollar.
const mostUSD = 1e12

// ReadDollars returns an amount of money, or 0. It reports an amount that is too large.
func (p *Project) ReadDollars(n *yamldoc.Node) float64 {
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

// maxFixRounds limits the rounds of fixes: below a misspelled field there may be further misspelled
// fields.
const maxFixRounds = 4

// ValidateAndFix validates a document and applies certain fixes to its tree, so that mistakes below
// a misspelled field are reported, too.
func ValidateAndFix(kind validate.Kind, root *yamldoc.Node, f *source.File) []*diag.Diagnostic {
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

// applyFixes applies the first fix of each error to the tree if it replaces one key or word, so
// that a misspelling has no consequences: the machine below `staes` is read and checked in the same
// run. Spans stay unchanged. A key that its mapping already has is not replaced.
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
