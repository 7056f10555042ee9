package model

// The roles of messages.
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool"
)

// Message is one message of a conversation.
type Message struct {
	// Role is the author, such as [RoleUser].
	Role string
	Text string
	// Calls are the tool calls of an assistant message.
	Calls []ToolCall
	// CallID and Name identify the call that a tool message answers; Failed reports whether the answer is a problem.
	CallID string
	Name   string
	Failed bool
	// Carry is the Carry of the reply that an assistant message repeats.
	Carry string
}

// ToolCall is a model's request to call a tool. Args is what the model wrote: it may not be valid JSON.
type ToolCall struct {
	ID   string
	Name string
	Args string
}
