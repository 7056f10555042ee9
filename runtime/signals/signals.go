package signals

// The signals that an engine sends: Stop when a run is to end, BudgetAlert when a part of its budget is spent. By
// convention user-message, tool-result and timer are those of chats, long tools and clocks; further names are your own.
const (
	Stop        = "stop"
	BudgetAlert = "budget-alert"
)

// Signal is an event that reaches a machine besides its keys.
type Signal struct {
	// Kind is one of the signals above or a name of your own.
	Kind string `json:"kind"`
	// Value belongs to the signal: a message, a result.
	Value string `json:"value,omitempty"`
}
