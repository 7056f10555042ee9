package workflow

// Union returns one object: the outputs of branches merged one after another, as [Value.Merge] does. An output that
// is no object is an [*ArgumentError].
func Union(outputs ...Value) (Value, error) {
	union := newObject(nil, nil)
	for i, output := range outputs {
		if output.Kind() != KindObject {
			return Value{}, argument{"union", "outputs", output}.refuseAt(indexText(i), "an object", output)
		}
		union = union.Merge(output)
	}

	return union, nil
}

// Majority returns the output that most branches have, of several the one that is first; none of no outputs.
func Majority(outputs ...Value) Value {
	var winner Value
	most := 0
	for _, candidate := range outputs {
		votes := 0
		for _, output := range outputs {
			if same(candidate, output) {
				votes++
			}
		}
		if votes > most {
			winner, most = candidate, votes
		}
	}

	return winner
}
