package diag_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

func TestJSON(t *testing.T) {
	span := find(t, "größe:\n  ä: critque\n", "critque", 0)
	d := diag.New(diag.UndefinedState, span, `state "critque" <is> not defined`).Suggest("critque", []string{"critique"})
	d.Note(source.Span{}, "a note without a place")

	var b strings.Builder
	if err := diag.JSON(&b, []*diag.Diagnostic{d, diag.New(diag.BadIgnore, source.Span{}, "m")}, func(p string) string {
		return "sub/" + p
	}); err != nil {
		t.Fatal(err)
	}
	want := `[
  {
    "file": "sub/agents/x/AGENT.md",
    "line": 2,
    "column": 6,
    "end_line": 2,
    "end_column": 13,
    "severity": "error",
    "name": "undefined-state",
    "message": "state \"critque\" <is> not defined",
    "hint": "did you mean \"critique\"?",
    "related": [
      {
        "message": "a note without a place"
      }
    ],
    "fixes": [
      {
        "message": "replace \"critque\" with \"critique\"",
        "edits": [
          {
            "file": "sub/agents/x/AGENT.md",
            "line": 2,
            "column": 6,
            "end_line": 2,
            "end_column": 13,
            "new_text": "critique"
          }
        ]
      }
    ]
  },
  {
    "severity": "warning",
    "name": "bad-ignore",
    "message": "m",
    "related": [],
    "fixes": []
  }
]
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestJSONOfACleanProjectIsAnEmptyArray(t *testing.T) {
	var b strings.Builder
	if err := diag.JSON(&b, nil, nil); err != nil {
		t.Fatal(err)
	}
	if b.String() != "[]\n" {
		t.Errorf("got %q", b.String())
	}
}

func TestJSONIsValidForAnyText(t *testing.T) {
	span := find(t, "a: \xff\x00\n", "\xff", 0)
	d := diag.New(diag.Syntax, span, "\xff\x00\u2028").WithFix("\xfe", span, "\xff")
	var b strings.Builder
	if err := diag.JSON(&b, []*diag.Diagnostic{d}, nil); err != nil {
		t.Fatal(err)
	}
	if !json.Valid([]byte(b.String())) {
		t.Errorf("not JSON: %s", b.String())
	}
}
