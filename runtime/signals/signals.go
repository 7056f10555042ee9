package signals

// The signals that programs and live machines use, besides those with names of your own.
const (
	Stop        = "stop"
	UserMessage = "user-message"
	ToolResult  = "tool-result"
	Timer       = "timer"
	BudgetAlert = "budget-alert"
)

// Signal is an event that reaches a machine besides its keys.
type Signal struct {
	// Kind is one of the signals above or a name of your own.
	Kind string `json:"kind"`
	// Value belongs to the signal: a message, a result.
	Value string `json:"value,omitempty"`
}
