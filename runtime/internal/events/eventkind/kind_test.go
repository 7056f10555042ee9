package eventkind_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
)

// TestEachRowIsDecided: a new row says of each reader what it does, and has what a reader needs that does nothing of its own.
func TestEachRowIsDecided(t *testing.T) {
	for i := range eventkind.All {
		k := &eventkind.All[i]
		if k.Recording < eventkind.Once || k.Recording > eventkind.Never {
			t.Errorf("%s: how it is recorded is not decided", k.Name)
		}
		for reader, treatment := range map[string]eventkind.Treatment{
			"Progress": k.Progress, "Panel": k.Panel, "Trace": k.Trace, "Telemetry": k.Telemetry, "Log": k.Log, "Report": k.Report,
		} {
			if treatment < eventkind.Ignored || treatment > eventkind.Generic {
				t.Errorf("%s: what %s does with it is not decided", k.Name, reader)
			}
		}
		if isShown := k.Progress == eventkind.Generic || k.Panel == eventkind.Generic; isShown && k.Line == "" {
			t.Errorf("%s: it is shown in a line, and the row has no Line", k.Name)
		}
		if k.Trace == eventkind.Generic && k.Node == nil || k.Trace == eventkind.Ignored && k.Node != nil {
			t.Errorf("%s: Trace and Node do not fit", k.Name)
		}
		if (k.Telemetry == eventkind.Generic) != (k.Note != nil) {
			t.Errorf("%s: Telemetry and Note do not fit", k.Name)
		}
		if (k.Report == eventkind.Generic) != (k.ReportLine != "") {
			t.Errorf("%s: Report and ReportLine do not fit", k.Name)
		}
		if k.Log == eventkind.Generic || k.Report == eventkind.Custom {
			t.Errorf("%s: Log needs a function, and Report has none", k.Name)
		}
	}
}

// TestRowsNameFields: words, nodes and notes have fields that events of the kind have.
func TestRowsNameFields(t *testing.T) {
	for i := range eventkind.All {
		k := &eventkind.All[i]
		fields := []string{"agent"}
		for _, f := range k.Fields {
			if !regexp.MustCompile(`^[a-z_]+$`).MatchString(f.Name) || slices.Contains(fields, f.Name) {
				t.Errorf("%s: the field %q is there twice, or is no plain word", k.Name, f.Name)
			}
			if f.Of == eventkind.NoMember {
				t.Errorf("%s: the field %s has no value", k.Name, f.Name)
			}
			fields = append(fields, f.Name)
		}
		used := append(fieldsOf(k.Line), fieldsOf(k.ReportLine)...)
		if k.Node != nil {
			used = append(used, k.Node.Name, k.Node.Value, k.Node.Problem)
		}
		if k.Note != nil {
			for _, a := range k.Note.Attributes {
				used = append(used, a.Field)
			}
		}
		for _, field := range used {
			if field != "" && !slices.Contains(fields, field) {
				t.Errorf("%s: the row names the field %q, which the event does not have", k.Name, field)
			}
		}
	}
}

// TestNodesHaveWords: each kind of nodes is in one row, with words for the page and the terminal.
func TestNodesHaveWords(t *testing.T) {
	for i := range eventkind.All {
		k := &eventkind.All[i]
		n := k.Node
		if n == nil {
			continue
		}
		if eventkind.NodeOf(n.Kind) != n {
			t.Errorf("%s: another row has the nodes %s, too", k.Name, n.Kind)
		}
		if n.Word == "" || n.Title == "" || n.Tree == "" {
			t.Errorf("%s: a node needs a Word, a Title and words of the Tree", k.Name)
		}
		if strings.Contains(n.Title, "[") {
			t.Errorf("%s: the script of the page knows no brackets", k.Name)
		}
		for _, field := range append(fieldsOf(n.Title), fieldsOf(n.Tree)...) {
			if !slices.Contains([]string{"name", "value", "problem"}, field) {
				t.Errorf("%s: the words of a node name %q, which is no name, value or problem", k.Name, field)
			}
		}
	}
	if eventkind.NodeOf("model") != nil || eventkind.Of("call") != nil {
		t.Error("there is a row for what is no event, or no node of one")
	}
}

// fieldsOf are the fields that words name.
func fieldsOf(words string) []string {
	var fields []string
	for _, match := range regexp.MustCompile(`\{([^}]*)\}`).FindAllStringSubmatch(words, -1) {
		fields = append(fields, match[1])
	}

	return fields
}

func TestWords(t *testing.T) {
	values := map[string]string{"a": "1", "b": "{a}[x]"}
	get := func(field string) string { return values[field] }
	for words, want := range map[string]string{
		"":                      "",
		"no field":              "no field",
		"{a} and {b}":           "1 and {a}[x]",
		"{none}.":               ".",
		"a{a}[: {b}][, {none}]": "a1: {a}[x]",
		"[{none}{a}]{a}[!]":     "1!",
	} {
		if got := eventkind.Words(words, get); got != want {
			t.Errorf("%s: %q, not %q", words, got, want)
		}
	}
}
