package runtime

// Yes is the verdict of a guard that lets a step happen.
func Yes() Verdict { return Verdict{OK: true} }

// No is the verdict of a guard that does not, and why: a clause such as "the plan has no steps". Whoever tried the step is told.
func No(reason string) Verdict { return Verdict{Reason: reason} }

// GuardInput is what a named guard is asked about. D is the type of the data: that of the agent's output or of the tool's
// arguments where one schema says so, else json.RawMessage.
type GuardInput[D any] struct {
	// Machine and State are where the step would begin, Key is what was fired: an agent's key, or the name of a tool.
	Machine, State, Key string
	// Value is the text that came with the key: what the agent finished with, or the arguments of the tool's call.
	Value string
	// Data is the value as JSON. As json.RawMessage it is nil if the value is none; as a type of its own it is the zero value if there
	// is no value, and of one that does not fit the type the guard is not asked: that is a *GuardError.
	Data D
	// Input is what the run was given; "" in a live machine.
	Input string
	// Visit counts how often the state was entered so far, 1 the first time.
	Visit int
}
