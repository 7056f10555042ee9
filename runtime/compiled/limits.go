package compiled

// Limits are how large what comes from outside may be, in bytes; 0: as the engine says.
type Limits struct {
	// Reply bounds a reply of a model, as it is sent.
	Reply int64
	// ToolResult bounds how much of a tool's result a model sees at once, ToolResultMax how much of it there is at all.
	ToolResult, ToolResultMax int64
}
