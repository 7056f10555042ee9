package scriptdoc

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// turn converts one reply of the model.
func (c *converter) turn(n *yamldoc.Node) {
	if !c.fields(n, "a turn", "say", "call", "finish", "error", "signal") {
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
	c.object(n, func(f *yamldoc.Field) {
		switch f.Key.Text {
		case "say":
			c.text(f.Value, quote("say"))
		case "call":
			c.calls(f.Value)
		case "finish":
			c.finish(f.Value)
		case "error":
			c.failure(f.Value)
		case "signal":
			c.signals(f.Value)
		}
	})
}

// signals converts one signal or a list of signals.
func (c *converter) signals(n *yamldoc.Node) {
	switch {
	case n.Kind != yamldoc.Seq:
		c.signal(n)
	case len(n.Items) == 0:
		c.report(diag.New(diag.BadValue, n.Span, "%s has no signal", quote("signal")))
	default:
		c.list(n, quote("signal"), "a signal or a list of signals", c.signal)
	}
}

// signal converts one signal: its kind, or a mapping with it.
func (c *converter) signal(n *yamldoc.Node) {
	if n.Kind != yamldoc.Map {
		c.kind(n, quote("signal"))
		return
	}
	if !c.fields(n, "a signal", "kind", "value") || !c.required(n, "a signal", "kind") {
		return
	}
	c.object(n, func(f *yamldoc.Field) {
		if f.Key.Text == "kind" {
			c.kind(f.Value, quote("kind"))
			return
		}
		c.text(f.Value, quote("value"))
	})
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

// calls converts one call or a list of calls.
func (c *converter) calls(n *yamldoc.Node) {
	switch {
	case n.Kind == yamldoc.Map:
		c.call(n)
	case n.Kind == yamldoc.Seq && len(n.Items) == 0:
		c.report(diag.New(diag.BadValue, n.Span, "%s has no call", quote("call")))
	default:
		c.list(n, quote("call"), "a call or a list of calls", c.call)
	}
}

func (c *converter) call(n *yamldoc.Node) {
	if !c.fields(n, "a call", "name", "args", "repeat") || !c.required(n, "a call", "name") {
		return
	}
	c.object(n, func(f *yamldoc.Field) {
		switch f.Key.Text {
		case "name":
			c.text(f.Value, quote("name"))
		case "args":
			c.value(f.Value) // what a model writes need not be a mapping
		case "repeat":
			c.count(f.Value, quote("repeat"), 1, maxRepeat)
		}
	})
}

// finish converts the arguments of finish; faulty ones can be written as text.
func (c *converter) finish(n *yamldoc.Node) {
	if n.Kind != yamldoc.Map {
		if n.Kind != yamldoc.String {
			c.wrongType(n, quote("finish"), "a mapping, or text that is sent as it stands")
			return
		}
		c.string(n.Text)
		return
	}
	if !c.fields(n, quote("finish"), "key", "value") {
		return
	}
	c.object(n, func(f *yamldoc.Field) {
		if f.Key.Text == "key" {
			c.text(f.Value, quote("key"))
			return
		}
		c.value(f.Value)
	})
}

// failureClasses are the kinds of failure of a model that the runtime tells apart.
var failureClasses = []string{
	"rate-limit", "overloaded", "server", "network", "timeout", "auth", "quota", "too-long", "refused", "bad-request", "other",
}

// failure converts what a provider answers instead of a reply: what is known of the failure, or text.
func (c *converter) failure(n *yamldoc.Node) {
	if n.Kind != yamldoc.Map {
		c.text(n, quote("error"))
		return
	}
	if !c.fields(n, quote("error"), "status", "class", "message", "retry_after") {
		return
	}
	c.object(n, func(f *yamldoc.Field) {
		switch f.Key.Text {
		case "status":
			c.count(f.Value, quote("status"), 100, 599)
		case "retry_after":
			c.seconds(f.Value)
		case "class":
			c.class(f.Value)
		default:
			c.text(f.Value, quote("message"))
		}
	})
}

func (c *converter) class(n *yamldoc.Node) {
	text, _ := n.Scalar()
	if !slices.Contains(failureClasses, text) {
		c.report(diag.New(diag.BadValue, n.Span, "%s is %s, not %q", quote("class"), choice(failureClasses), text).
			Suggest(text, failureClasses))
		return
	}
	c.string(text)
}

// toolAnswer converts one answer of a tool.
func (c *converter) toolAnswer(n *yamldoc.Node) {
	if !c.fields(n, "an answer of a tool", "result", "error") {
		return
	}
	if len(n.Fields) > 1 {
		c.report(diag.New(diag.BadValue, n.Fields[1].Key.Span, "an answer of a tool is a result or an error, not both"))
		return
	}
	c.object(n, func(f *yamldoc.Field) {
		if f.Key.Text == "error" {
			c.text(f.Value, quote("error"))
			return
		}
		c.value(f.Value)
	})
}

// verdict converts the verdict of a guard, with or without its reason.
func (c *converter) verdict(n *yamldoc.Node) {
	const what = "the verdict of a guard"
	switch {
	case n.Kind == yamldoc.Map && c.fields(n, what, "ok", "reason") && c.required(n, what, "ok"):
		c.object(n, func(f *yamldoc.Field) {
			if f.Key.Text == "ok" {
				c.verdict(f.Value)
				return
			}
			c.text(f.Value, quote("reason"))
		})
	case n.Kind == yamldoc.Bool:
		c.value(n)
	case n.Kind != yamldoc.Map:
		c.wrongType(n, what, `true, false or {ok, reason}`)
	}
}

// fields reports whether n is a mapping with at least one field and none but the allowed ones; if not, it says so.
func (c *converter) fields(n *yamldoc.Node, what string, allowed ...string) bool {
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

func (c *converter) required(n *yamldoc.Node, what, field string) bool {
	if n.Get(field) != nil {
		return true
	}
	c.report(diag.New(diag.MissingField, n.Span, "%s needs a field %q", what, field))

	return false
}
