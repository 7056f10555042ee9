package compiled

// Part is an optional part of a binary, which the project includes by a line such as include: [mcp]. Package app
// documents the methods with which a part adds commands.
type Part interface {
	// Part returns the word of that line.
	Part() string
}
