package workflow

import (
	"math"
	"strings"
)

// Aggregate is aggregate(data, operation, field): the sum, avg (average, mean), count, min or max
// of the numbers in a list, or of the members called field of the objects in it; one object is a
// list of one. None, and objects without the member, are left out; a text counts as the number it
// reads as; for count whatever is there counts. Of no numbers, min and max are none and the others
// 0.
func (data Value) Aggregate(operation, field Value) (Value, error) {
	op, err := operationName(operation)
	if err != nil {
		return Value{}, err
	}
	values, err := columnOf(data, field)
	if err != nil {
		return Value{}, err
	}
	if op == "count" {
		return Int(int64(len(values))), nil
	}

	numbers, err := numbersOf(argument{"aggregate", "data", data}, field, values)
	if err != nil {
		return Value{}, err
	}
	result := aggregate(op, numbers)
	if result.IsNone() && len(numbers) > 0 {
		return Value{}, argument{"aggregate", "data", data}.refuse("numbers whose sum a float64 holds")
	}

	return result, nil
}

// operationName returns the one name of an operation.
func operationName(operation Value) (string, error) {
	switch op := strings.ToLower(strings.TrimSpace(operation.text)); op {
	case "sum", "count", "min", "max":
		return op, nil
	case "avg", "average", "mean":
		return "avg", nil
	}

	return "", argument{"aggregate", "operation", operation}.refuse("sum, avg, count, min or max")
}

// cell is a value of a column and the index of the item that it is from.
type cell struct {
	index int
	value Value
}

// columnOf returns what is in the list, without what is none.
func columnOf(data, field Value) ([]cell, error) {
	arg := argument{"aggregate", "data", data}
	items, err := arg.rowValues()
	if err != nil {
		return nil, err
	}
	if field.Kind() != kindNone && field.Kind() != kindText {
		return nil, argument{"aggregate", "field", field}.refuse("text")
	}

	cells := make([]cell, 0, len(items))
	for i, item := range items {
		if field.Kind() == kindText {
			if item.Kind() != kindObject {
				return nil, arg.refuseAt(indexText(i), "an object", item)
			}
			item = item.Get(field.text)
		}
		if !item.IsNone() {
			cells = append(cells, cell{i, item})
		}
	}

	return cells, nil
}

func numbersOf(arg argument, field Value, cells []cell) ([]Value, error) {
	numbers := make([]Value, len(cells))
	for i, c := range cells {
		numbers[i] = c.value
		if c.value.Kind() == kindText {
			numbers[i], _ = c.value.ReadNumber()
		}
		if numbers[i].Kind() != kindNumber {
			path := indexText(c.index)
			if field.Kind() == kindText {
				path += "." + pathText([]string{field.text})
			}
			return nil, arg.refuseAt(path, "a number", c.value)
		}
	}

	return numbers, nil
}

// aggregate returns none for min and max of nothing, and for what no float64 holds.
func aggregate(op string, numbers []Value) Value {
	switch {
	case op == "sum" || op == "avg" && len(numbers) == 0:
		return sum(numbers)
	case len(numbers) == 0:
		return Value{}
	case op == "avg":
		return mean(numbers)
	}
	best := numbers[0]
	for _, n := range numbers[1:] {
		if order := compareNumbers(n, best); op == "min" && order < 0 || op == "max" && order > 0 {
			best = n
		}
	}

	return best
}

// sum is exact as long as all numbers and all sums are int64s.
func sum(numbers []Value) Value {
	if total, ok := wholeSum(numbers); ok {
		return Int(total)
	}

	return numberValue(floatSum(numbers))
}

func mean(numbers []Value) Value {
	n := int64(len(numbers))
	if total, ok := wholeSum(numbers); ok && total%n == 0 {
		return Int(total / n)
	}

	return numberValue(floatSum(numbers) / float64(n))
}

func wholeSum(numbers []Value) (total int64, ok bool) {
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

// floatSum adds with Neumaier's correction, so that 0.1 ten times is 1.
func floatSum(numbers []Value) float64 {
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
