package expr

import (
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// numbersOf are the numbers that the leaves compare with, one between each two neighbours, one below and one above,
// within the bounds of the schema.
func (v *variable) numbersOf(schema *ir.Schema) []workflow.Value {
	points := append([]float64{0}, v.numbers...)
	for _, text := range v.texts {
		if n, ok := workflow.Text(text).ReadNumber(); ok {
			f, _ := n.AsNumber()
			points = append(points, f)
		}
	}
	for _, bound := range []string{schema.Minimum, schema.Maximum, schema.ExclusiveMinimum, schema.ExclusiveMaximum} {
		if f, err := strconv.ParseFloat(bound, 64); err == nil {
			points = append(points, f)
		}
	}
	slices.Sort(points)

	candidates := []float64{points[0] - 1, points[len(points)-1] + 1}
	for i, p := range points {
		candidates = append(candidates, p)
		if i > 0 {
			candidates = append(candidates, points[i-1]+(p-points[i-1])/2)
		}
	}
	if schema.Kind == ir.SchemaInteger {
		candidates = wholes(candidates)
	}

	inside := ir.Where(candidates, func(c float64) bool { return schema.InRange(new(big.Rat).SetFloat64(c)) })

	return ir.Map(inside, workflow.Of[float64])
}

// wholes returns the whole numbers at and beside the candidates.
func wholes(candidates []float64) []float64 {
	var all []float64
	for _, c := range candidates {
		all = append(all, math.Floor(c), math.Ceil(c), math.Floor(c)-1, math.Ceil(c)+1)
	}

	return all
}

// textsOf are the texts that the leaves compare with, the next one behind each, the first two of all, another one,
// and spellings of the numbers.
func (v *variable) textsOf(schema *ir.Schema) []workflow.Value {
	other := "?"
	for slices.Contains(v.texts, other) {
		other += "?"
	}
	texts := append([]string{"", "\x00", other}, v.texts...)
	for _, text := range v.texts {
		texts = append(texts, text+"\x00")
	}
	if len(v.numbers) > 0 {
		for _, n := range v.numbersOf(&ir.Schema{Kind: ir.SchemaNumber}) {
			spelling := n.String()
			texts = append(texts, spelling)
			for slices.Contains(v.texts, spelling) {
				spelling = " " + spelling
			}
			texts = append(texts, spelling)
		}
	}

	long := ir.Where(texts, func(text string) bool { return text != "" || schema.MinLength == nil || *schema.MinLength == 0 })

	return ir.Map(long, workflow.Text)
}
