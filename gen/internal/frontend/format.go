package frontend

// Format is a kind of source files. The loader takes each step with all formats, in their order, before it takes the next one.
// A mistake of the user is added to the project's list; an error is that of a file or folder that could not be read.
type Format interface {
	// Find looks for the format's files, and adds those that are only almost its own to the project's strays.
	Find() error
	// Read reads and parses them, and makes known by name what they define.
	Read() error
	// Lower gives the agents their nodes. The names of all formats are known, and what the formats before it give.
	Lower() error
	// Link does what needs the nodes of all agents.
	Link() error
}
