package workflow

// Union returns one object of a list of outputs of branches: they are merged one after another, as
// [Value.Merge] does. An output that is not an object is an ArgumentError.
func (v Value) Union() (Value, error) {
	union := newObject(nil, nil)
	for i, output := range v.Items() {
		if output.Kind() != kindObject {
			return Value{}, argument{"union", "outputs", output}.mismatchErrorAt(formatIndex(i), "an object", output)
		}
		union = union.Merge(output)
	}

	return union, nil
}

// Majority returns the item that is most often in a list of outputs of branches, of several the one
// that is first; none of no outputs.
func (v Value) Majority() Value {
	var winner Value
	most := 0
	for _, candidate := range v.Items() {
		votes := 0
		for _, output := range v.Items() {
			if isSame(candidate, output) {
				votes++
			}
		}
		if votes > most {
			winner, most = candidate, votes
		}
	}

	return winner
}
