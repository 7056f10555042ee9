package workflow_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

func aggregate(args ...workflow.Value) (workflow.Value, error) {
	return args[0].Aggregate(args[1], args[2])
}

func TestAggregate(t *testing.T) {
	const operations = "expected sum, avg, count, min or max"
	checkCalls(t, aggregate,
		builtinCase{`[1, 2, 3.5], "sum"`, `6.5`},
		builtinCase{`[0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], "sum"`, `1`},
		builtinCase{`[1, 2], "avg"`, `1.5`}, builtinCase{`[1, 3], "average"`, `2`}, builtinCase{`[1, 3], "mean"`, `2`},
		builtinCase{`[2, "10", " 3 "], "max"`, `10`}, builtinCase{`[2, 1.5, 3], "min"`, `1.5`},
		builtinCase{`[9007199254740993, 1], "sum"`, `9007199254740994`},
		builtinCase{`[9223372036854775807, 1], "sum"`, `9223372036854776000`},
		builtinCase{`[9223372036854775807, 9223372036854775807], "max"`, `9223372036854775807`},
		builtinCase{`[{"n": 1}, {"n": "2"}, {"n": null}, {}], "sum", "n"`, `3`},
		builtinCase{`[{"n": 1}, {"n": "two"}, {"n": null}, {}], "count", "n"`, `2`},
		builtinCase{`[1, null, "x"], "count"`, `2`},
		builtinCase{`[], "sum"`, `0`}, builtinCase{`[], "count"`, `0`},
		builtinCase{`[null], "avg"`, `0`}, builtinCase{`[1], "MIN"`, `1`},
		builtinCase{`[null], "max"`, "aggregate: data: found a list of 1 item, expected a list with a number"},
		builtinCase{`[], "min"`, "aggregate: data: found a list of 0 items, expected a list with a number"},
		builtinCase{`{"n": 4}, " SUM ", "n"`, `4`}, builtinCase{`[4], "Mean"`, `4`},
		builtinCase{`5, "sum"`, "aggregate: data: found 5, expected a list"},
		builtinCase{`{"n": 4}, "sum"`, "aggregate: data[0]: found an object, expected a number"},
		builtinCase{`[1], "median"`, `aggregate: operation: found "median", ` + operations},
		builtinCase{`[1]`, "aggregate: operation: found none, " + operations},
		builtinCase{`[1], 5`, "aggregate: operation: found 5, " + operations},
		builtinCase{`[1], "sum", 5`, "aggregate: field: found 5, expected text"},
		builtinCase{`[1], "sum", "n"`, "aggregate: data[0]: found 1, expected an object"},
		builtinCase{`[1, null, "two"], "sum"`, `aggregate: data[2]: found "two", expected a number`},
		builtinCase{
			`[{}, {"unit price": true}], "sum", "unit price"`,
			`aggregate: data[1]."unit price": found true, expected a number`,
		},
		builtinCase{`[1e308, 1e308], "sum"`, "aggregate: data: found a list of 2 items, expected numbers whose sum a float64 holds"},
	)
}

// TestAggregateCountsExactly: of whole numbers the sum is exact, of fractions it is the nearest
// float64 but for the last bits.
func TestAggregateCountsExactly(t *testing.T) {
	repeat(3000, func(r *rand.Rand) {
		items := make([]any, 1+r.IntN(20))
		exact, whole := new(big.Rat), true
		largest := 0.0
		for i := range items {
			if r.IntN(40) == 0 {
				f := math.Round(r.Float64()*1e6) / 1e3
				items[i], whole = f, false
			} else {
				items[i] = r.Int64N(1<<50) - 1<<49
			}
			exact.Add(exact, fractionValue(items[i]))
			f, _ := fractionValue(items[i]).Float64()
			largest = max(largest, math.Abs(f))
		}

		for op, want := range map[string]*big.Rat{"sum": exact, "avg": new(big.Rat).Quo(exact, big.NewRat(int64(len(items)), 1))} {
			v, err := valueOf(items).Aggregate(workflow.Text(op), workflow.Value{})
			if err != nil {
				t.Fatal(err)
			}
			off, _ := new(big.Rat).Sub(fractionValue(treeOf(v)), want).Float64()
			if whole && op == "sum" && off != 0 || math.Abs(off) > 1e-14*largest*float64(len(items)) {
				t.Errorf("%s of %v: got %s, expected %s", op, items, v, want.FloatString(6))
			}
		}
	})
}
