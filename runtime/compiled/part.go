package compiled

// Part is something that a binary carries besides run, because the project includes it (a line such as include: [mcp]). Package app
// says what a part has to have beside its name to be a command.
type Part interface {
	// Part is the word of the line.
	Part() string
}
