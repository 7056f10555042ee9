package runtime

// Walk is the memory of one run of a machine, which generated code drives: Enter a state, Did its agent, Take a row.
// It holds the result so far, counts steps against the limit and tells the observer; which state follows which is decided
// by the generated switch alone.
type Walk struct {
	fx       Effects
	machine  string
	maxSteps int
	state    string
	steps    int
	visits   map[string]int
	fin      Finish
	err      error
}

// NewWalk returns a walk of the named machine that starts with input and may run at most maxSteps agents.
func NewWalk(fx Effects, machine string, maxSteps int, input string) Walk {
	return Walk{fx: fx, machine: machine, maxSteps: maxSteps, fin: Finish{Value: input}}
}

// Enter says that the agent of state is about to run. It reports false when the walk is over: an agent failed, or the
// limit is reached, which End then returns as *StepLimitError.
func (w *Walk) Enter(state string) bool { panic("contract") }

// Value is the input of the state that was entered: the value of the state before, or the machine's input.
func (w *Walk) Value() string { return w.fin.Value }

// Key is the key that the last agent finished with.
func (w *Walk) Key() string { return w.fin.Key }

// Did records what the state's agent gave back.
func (w *Walk) Did(fin Finish, err error) { panic("contract") }

// Failed reports whether the last agent ended with an error.
func (w *Walk) Failed() bool { return w.err != nil }

// Take records the row that the generated switch chose; to is "" when it ends the machine.
func (w *Walk) Take(key string, match Match, to string) { panic("contract") }

// Reject ends the walk because the table has no row for the key; valid are the keys that it has. The error is an
// *InvalidTransitionError.
func (w *Walk) Reject(valid []string) (Finish, error) { panic("contract") }

// Last records what the agent of a terminal gave back and ends the walk.
func (w *Walk) Last(fin Finish, err error) (Finish, error) { panic("contract") }

// End returns the machine's result: the last agent's, unchanged.
func (w *Walk) End() (Finish, error) { return w.fin, w.err }
