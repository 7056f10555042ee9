package signals

// The signals that programs and live machines know beside those of the user's own names.
const (
	Stop        = "stop"
	UserMessage = "user-message"
	ToolResult  = "tool-result"
	Timer       = "timer"
	BudgetAlert = "budget-alert"
)

// Signal is something that happens beside the keys of a machine.
type Signal struct {
	// Kind is one of the signals above or a name of the user's own.
	Kind string `json:"kind"`
	// Value goes with it: a message, a result.
	Value string `json:"value,omitempty"`
}
