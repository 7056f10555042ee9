package signals

// Signal is an event that reaches a machine besides its keys.
type Signal struct {
	// Kind is the name of the signal. An engine sends stop when a run is to end, and budget-alert
	// when a part of its budget is spent. By convention user-message, tool-result and timer are for
	// chats, long tools and clocks; further names are your own.
	Kind string `json:"kind"`
	// Value belongs to the signal: a message, a result.
	Value string `json:"value,omitempty"`
}
