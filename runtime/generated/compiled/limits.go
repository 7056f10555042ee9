package compiled

// Limits limit the size of external data, in bytes; 0: the engine's default.
type Limits struct {
	// Reply limits the reply of a model, as it is sent.
	Reply int64
	// ToolResult limits how much of a tool's result a model sees at once, ToolResultMax how much of it is kept.
	ToolResult, ToolResultMax int64
}
