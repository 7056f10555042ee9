package workflow_test

import (
	"encoding/csv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

func toCSV(args ...workflow.Value) (workflow.Value, error) { return args[0].ToCSV(args[1]) }

func TestToCSV(t *testing.T) {
	checkCalls(t, toCSV,
		builtinCase{`[{"b": 1, "a": "x"}, {"c": true, "a": null}]`, `"a,b,c\r\nx,1,\r\n,,True\r\n"`},
		builtinCase{`[{"b": 1, "a": "x"}], ["b", "z"]`, `"b,z\r\n1,\r\n"`},
		builtinCase{`[{"a": "x, \"y\"", "b": "1\n2\r\n3"}]`, `"a,b\r\n\"x, \"\"y\"\"\",\"1\n2\r\n3\"\r\n"`},
		builtinCase{`[{"a": [1, {"b": null}]}]`, `"a\r\n\"[1,{\"\"b\"\":null}]\"\r\n"`},
		builtinCase{`[{"a": ""}, {"a": " x "}]`, `"a\r\n\"\"\r\n x \r\n"`},
		builtinCase{`[]`, `""`},
		builtinCase{`[{}]`, `""`},
		builtinCase{`[], ["a", "b"]`, `"a,b\r\n"`},
		builtinCase{`[{"a": 1}], []`, `"a\r\n1\r\n"`},
		builtinCase{`{"b": 1, "a": 2}`, `"a,b\r\n2,1\r\n"`},
		builtinCase{`"a"`, `to_csv: rows: found "a", expected a list`},
		builtinCase{`[{"a": 1}, 5]`, "to_csv: rows[1]: found 5, expected an object"},
		builtinCase{`[{"a": 1}], "a"`, `to_csv: headers: found "a", expected a list`},
		builtinCase{`[{"a": 1}], ["a", null]`, "to_csv: headers[1]: found none, expected text"},
	)
}

// TestToCSVIsReadBack by encoding/csv, which reads CRLF in a field as a line feed.
func TestToCSVIsReadBack(t *testing.T) {
	repeat(3000, func(r *rand.Rand) {
		rows := make([]any, r.IntN(4))
		names := map[string]bool{}
		for i := range rows {
			row := randomObject(r, 2)
			for _, m := range row {
				names[m.name] = true
			}
			rows[i] = row
		}
		var columns []string
		for name := range names {
			columns = append(columns, name)
		}
		slices.Sort(columns)

		v, err := valueOf(rows).ToCSV(workflow.Value{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := csv.NewReader(strings.NewReader(v.String())).ReadAll()
		if err != nil {
			t.Fatalf("%q: %v", v, err)
		}
		var want [][]string
		if len(columns) > 0 {
			want = append(want, columns)
			for _, row := range rows {
				var record []string
				for _, column := range columns {
					record = append(record, strings.ReplaceAll(valueOf(row).Get(column).String(), "\r\n", "\n"))
				}
				want = append(want, record)
			}
		}
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("got %q, expected %q", got, want)
		}
	})
}
