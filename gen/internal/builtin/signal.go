package builtin

// Signals are the signals that agentc sends itself, sorted; any other name is the user's own.
var Signals = []string{"budget-alert", "stop", "timer", "tool-result", "user-message"}
