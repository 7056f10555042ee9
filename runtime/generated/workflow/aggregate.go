package workflow

import (
	"math"
	"strings"
)

// Aggregate is aggregate(data, operation, field): the sum, avg (average, mean), count, min or max
// of the numbers in a list, or of the members called field of the objects in it; one object is a
// list of one. None, and objects without the member, are left out; a text counts as the number it
// reads as; count counts every value. Without numbers, min and max are an error, the others 0.
func (data Value) Aggregate(operation, field Value) (Value, error) {
	op, err := parseOperation(operation)
	if err != nil {
		return Value{}, err
	}
	values, err := readColumn(data, field)
	if err != nil {
		return Value{}, err
	}
	if op == "count" {
		return Int(int64(len(values))), nil
	}

	arg := argument{"aggregate", "data", data}
	numbers, err := readNumbers(arg, field, values)
	if err != nil {
		return Value{}, err
	}
	result := aggregateNumbers(op, numbers)
	switch {
	case !result.IsNone():
		return result, nil
	case len(numbers) == 0:
		return Value{}, arg.mismatchError("a list with a number")
	}

	return Value{}, arg.mismatchError("numbers whose sum a float64 holds")
}

// parseOperation returns the one name of an operation.
func parseOperation(operation Value) (string, error) {
	switch op := strings.ToLower(strings.TrimSpace(operation.text)); op {
	case "sum", "count", "min", "max":
		return op, nil
	case "avg", "average", "mean":
		return "avg", nil
	}

	return "", argument{"aggregate", "operation", operation}.mismatchError("sum, avg, count, min or max")
}

// cell is a value of a column and the index of the item that it is from.
type cell struct {
	index int
	value Value
}

// readColumn returns the values of a column of the list, without those that are none.
func readColumn(data, field Value) ([]cell, error) {
	arg := argument{"aggregate", "data", data}
	items, err := arg.asRows()
	if err != nil {
		return nil, err
	}
	if field.Kind() != kindNone && field.Kind() != kindText {
		return nil, argument{"aggregate", "field", field}.mismatchError("text")
	}

	cells := make([]cell, 0, len(items))
	for i, item := range items {
		if field.Kind() == kindText {
			if item.Kind() != kindObject {
				return nil, arg.mismatchErrorAt(formatIndex(i), "an object", item)
			}
			item = item.Get(field.text)
		}
		if !item.IsNone() {
			cells = append(cells, cell{i, item})
		}
	}

	return cells, nil
}

func readNumbers(arg argument, field Value, cells []cell) ([]Value, error) {
	numbers := make([]Value, len(cells))
	for i, c := range cells {
		numbers[i] = c.value
		if c.value.Kind() == kindText {
			numbers[i], _ = c.value.ReadNumber()
		}
		if numbers[i].Kind() != kindNumber {
			path := formatIndex(c.index)
			if field.Kind() == kindText {
				path += "." + formatPath([]string{field.text})
			}
			return nil, arg.mismatchErrorAt(path, "a number", c.value)
		}
	}

	return numbers, nil
}

// aggregateNumbers returns none for min and max without numbers, and for a result that no float64
// holds.
func aggregateNumbers(op string, numbers []Value) Value {
	switch {
	case op == "sum" || op == "avg" && len(numbers) == 0:
		return sumNumbers(numbers)
	case len(numbers) == 0:
		return Value{}
	case op == "avg":
		return averageNumbers(numbers)
	}
	best := numbers[0]
	for _, n := range numbers[1:] {
		if order := compareNumbers(n, best); op == "min" && order < 0 || op == "max" && order > 0 {
			best = n
		}
	}

	return best
}

// sumNumbers is exact as long as all numbers and all sums are int64s.
func sumNumbers(numbers []Value) Value {
	if total, ok := sumWhole(numbers); ok {
		return Int(total)
	}

	return numberValue(sumFloats(numbers))
}

func averageNumbers(numbers []Value) Value {
	n := int64(len(numbers))
	if total, ok := sumWhole(numbers); ok && total%n == 0 {
		return Int(total / n)
	}

	return numberValue(sumFloats(numbers) / float64(n))
}

func sumWhole(numbers []Value) (total int64, ok bool) {
	for _, number := range numbers {
		n, isWhole := number.AsInt()
		sum := total + n
		overflows := (sum > total) != (n > 0) && n != 0
		if !isWhole || overflows {
			return 0, false
		}
		total = sum
	}

	return total, true
}

// sumFloats adds with Neumaier's correction, so that 0.1 ten times is 1.
func sumFloats(numbers []Value) float64 {
	var total, lost float64
	for _, number := range numbers {
		f, _ := number.AsNumber()
		next := total + f
		if math.Abs(total) >= math.Abs(f) {
			lost += total - next + f
		} else {
			lost += f - next + total
		}
		total = next
	}

	return total + lost
}
