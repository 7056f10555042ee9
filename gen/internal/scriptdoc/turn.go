package scriptdoc

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// turn checks one reply of the model.
func (c *converter) turn(n *yamldoc.Node) {
	fields := []field{
		c.textField("say"), {"call", c.calls}, {"finish", c.finish}, {"error", c.failure}, {"signal", c.signals},
	}
	if !c.fields(n, "a turn", fields) {
		return
	}
	replies := len(n.Fields)
	signal := n.Get("signal")
	if signal != nil {
		replies--
	}
	if failure := n.Get("error"); failure != nil && replies > 1 {
		c.report(diag.New(diag.BadValue, failure.Key.Span, "a turn that fails has nothing but %q, and %q if need be", "error", "signal"))
		return
	}
	if replies == 0 {
		c.report(diag.New(diag.MissingField, signal.Key.Span,
			"a signal comes while the model answers: the turn also needs say, call, finish or error"))
		return
	}
	c.record(n, "a turn", "", fields...)
}

// signals checks one signal or a list of signals.
func (c *converter) signals(n *yamldoc.Node) { c.oneOrMany(n, "signal", c.signal) }

// signal checks one signal: its kind, or a mapping with it.
func (c *converter) signal(n *yamldoc.Node) {
	if n.Kind != yamldoc.Map {
		c.kind(n, quote("signal"))
		return
	}
	kind := func(n *yamldoc.Node) { c.kind(n, quote("kind")) }
	c.record(n, "a signal", "kind", field{"kind", kind}, c.textField("value"))
}

func (c *converter) kind(n *yamldoc.Node, what string) {
	if text, isText := n.Scalar(); isText && text == "" {
		c.report(diag.New(diag.BadValue, n.Span, "%s is empty: a signal has a kind, such as stop", what))
		return
	}
	c.text(n, what)
}

// maxRepeat bounds a flood of calls, as the runtime does.
const maxRepeat = 100_000

// calls checks one call or a list of calls.
func (c *converter) calls(n *yamldoc.Node) {
	if n.Kind != yamldoc.Seq && n.Kind != yamldoc.Map {
		c.wrongType(n, quote("call"), "a call or a list of calls")
		return
	}
	c.oneOrMany(n, "call", c.call)
}

// oneOrMany checks one value, or a list that has some.
func (c *converter) oneOrMany(n *yamldoc.Node, name string, one func(*yamldoc.Node)) {
	items := n.Items
	if n.Kind != yamldoc.Seq {
		items = []*yamldoc.Node{n}
	}
	if len(items) == 0 {
		c.report(diag.New(diag.BadValue, n.Span, "%s has no %s", quote(name), name))
	}
	for _, item := range items {
		one(item)
	}
}

func (c *converter) call(n *yamldoc.Node) {
	repeat := func(n *yamldoc.Node) { c.count(n, quote("repeat"), 1, maxRepeat) }
	c.record(n, "a call", "name", c.textField("name"), field{"args", anything}, field{"repeat", repeat}) // args need not be a mapping
}

// finish checks the arguments of finish; faulty ones can be written as text.
func (c *converter) finish(n *yamldoc.Node) {
	switch n.Kind {
	case yamldoc.String:
	case yamldoc.Map:
		c.record(n, quote("finish"), "", c.textField("key"), field{"value", anything})
	default:
		c.wrongType(n, quote("finish"), "a mapping, or text that is sent as it is")
	}
}

// failureClasses are the kinds of failure of a model that the runtime distinguishes.
var failureClasses = []string{
	"rate-limit", "overloaded", "server", "network", "timeout", "auth", "quota", "too-long", "refused", "bad-request", "other",
}

// failure checks what a provider answers instead of a reply: what is known of the failure, or text.
func (c *converter) failure(n *yamldoc.Node) {
	if n.Kind != yamldoc.Map {
		c.text(n, quote("error"))
		return
	}
	status := func(n *yamldoc.Node) { c.count(n, quote("status"), 100, 599) }
	c.record(n, quote("error"), "",
		field{"status", status}, field{"class", c.class}, c.textField("message"), field{"retry_after", c.seconds})
}

func (c *converter) class(n *yamldoc.Node) {
	text, _ := n.Scalar()
	if !slices.Contains(failureClasses, text) {
		c.report(diag.New(diag.BadValue, n.Span, "%s is %s, not %q", quote("class"), choice(failureClasses), text).
			Suggest(text, failureClasses))
	}
}

// toolAnswer checks one answer of a tool.
func (c *converter) toolAnswer(n *yamldoc.Node) {
	if n.Kind == yamldoc.Map && len(n.Fields) > 1 && n.Get("result") != nil && n.Get("error") != nil {
		c.report(diag.New(diag.BadValue, n.Fields[1].Key.Span, "an answer of a tool is a result or an error, not both"))
		return
	}
	c.record(n, "an answer of a tool", "", field{"result", anything}, c.textField("error"))
}

// verdict checks the verdict of a guard, with or without its reason.
func (c *converter) verdict(n *yamldoc.Node) {
	const what = "the verdict of a guard"
	switch {
	case n.Kind == yamldoc.Map:
		c.record(n, what, "ok", field{"ok", c.verdict}, c.textField("reason"))
	case n.Kind != yamldoc.Bool:
		c.wrongType(n, what, `true, false or {ok, reason}`)
	}
}

// field is a field of a mapping, and what checks its value.
type field struct {
	name  string
	check func(*yamldoc.Node)
}

// list checks the items of a list, or reports that n is none.
func (c *converter) list(n *yamldoc.Node, what, want string, item func(*yamldoc.Node)) {
	if n.Kind != yamldoc.Seq {
		c.wrongType(n, what, want)
	}
	for _, element := range n.Items {
		item(element)
	}
}

// text makes a scalar a text, whatever YAML takes it for.
func (c *converter) text(n *yamldoc.Node, what string) {
	if _, ok := n.Scalar(); !ok {
		c.wrongType(n, what, "text")
		return
	}
	n.Kind = yamldoc.String
}

// count checks a whole number between two bounds.
func (c *converter) count(n *yamldoc.Node, what string, least, most int) {
	number, err := strconv.Atoi(jsonNumber(n))
	if n.Kind != yamldoc.Int {
		c.wrongType(n, what, "a whole number")
	} else if err != nil || number < least || number > most {
		c.report(diag.New(diag.BadValue, n.Span, "%s is a whole number from %d to %d, not %s", what, least, most, n.Text))
	}
}

// seconds checks a number that is not negative.
func (c *converter) seconds(n *yamldoc.Node) {
	number, err := strconv.ParseFloat(jsonNumber(n), 64)
	if err != nil || number < 0 || number > math.MaxInt32 {
		c.report(diag.New(diag.BadValue, n.Span, "%s is a number of seconds", quote("retry_after")))
	}
}

// anything takes any value.
func anything(*yamldoc.Node) {}

func (c *converter) textField(name string) field {
	return field{name, func(n *yamldoc.Node) { c.text(n, quote(name)) }}
}

// record checks a mapping with some of the fields, at least with the required one, if that is not empty.
func (c *converter) record(n *yamldoc.Node, what, required string, fields ...field) {
	if !c.fields(n, what, fields) {
		return
	}
	if required != "" && n.Get(required) == nil {
		c.report(diag.New(diag.MissingField, n.Span, "%s needs a field %q", what, required))
		return
	}
	for _, f := range n.Fields {
		i := slices.IndexFunc(fields, func(known field) bool { return known.name == f.Key.Text })
		fields[i].check(f.Value)
	}
}

// fields reports whether n is a mapping with at least one field and none but the allowed ones; if not, it reports that.
func (c *converter) fields(n *yamldoc.Node, what string, fields []field) bool {
	var allowed []string
	for _, f := range fields {
		allowed = append(allowed, f.name)
	}
	if n.Kind != yamldoc.Map {
		c.wrongType(n, what, "a mapping")
		return false
	}
	if len(n.Fields) == 0 {
		c.report(diag.New(diag.MissingField, n.Span, "%s is empty: it has %s", what, choice(allowed)))
		return false
	}
	ok := true
	for _, f := range n.Fields {
		if !slices.Contains(allowed, f.Key.Text) {
			c.report(diag.New(diag.UnknownField, f.Key.Span, "%s has no field %q: it has %s", what, f.Key.Text, choice(allowed)).
				Suggest(f.Key.Text, allowed))
			ok = false
		}
	}

	return ok
}

func quote(text string) string { return fmt.Sprintf("%q", text) }

// choice lists names: "say", "call" or "finish".
func choice(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = quote(name)
	}
	last := len(quoted) - 1
	if last == 0 {
		return quoted[0]
	}

	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}
