package runtime

// Yes is the verdict of a guard that allows a transition.
func Yes() Verdict { return Verdict{OK: true} }

// No is the verdict of a guard that refuses a transition. The reason is a clause such as "the plan has no steps",
// which is reported to the agent that tried it.
func No(reason string) Verdict { return Verdict{Reason: reason} }

// GuardInput describes the transition that a named guard decides about. D is the type of the data: that of the
// agent's output or of the tool's arguments if one schema defines it, else json.RawMessage.
type GuardInput[D any] struct {
	// Machine and State are where the transition would begin. Key is an agent's key, or the name of a tool.
	Machine, State, Key string
	// Value is the text with the key: the agent's value, or the arguments of the tool's call.
	Value string
	// Data is the value as JSON. As json.RawMessage it is nil if the value is not JSON; as a type of its own it is
	// the zero value if there is no value. If a value does not match the type, the guard is not called and the run
	// gets a *GuardError.
	Data D
	// Input is the input of the run; "" in a live machine.
	Input string
	// Visit is the number of times that the state was entered so far, 1 the first time.
	Visit int
}
