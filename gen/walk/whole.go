package walk

// Whole reports whether everything was walked: it is not where the agents of the program stand in too many places, and what was
// not come to may then be reached all the same.
func (r *Result) Whole() bool { return !r.gaveUp }
