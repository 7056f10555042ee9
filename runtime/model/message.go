package model

// Role is the author of a message.
type Role string

// The authors.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one message of a conversation.
type Message struct {
	Role Role
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
