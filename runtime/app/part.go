package app

import (
	"fmt"
	"io"
	"slices"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// Commander is a runtime.Part that is a command.
type Commander interface {
	runtime.Part
	// Command is the command; it is named as the part.
	Command(p *runtime.Program) *cli.Command
}

// Closer is a runtime.Part that has something to do before the process ends, in little time; on w it says what a person has to know of
// that.
type Closer interface {
	runtime.Part
	Close(w io.Writer)
}

// closeParts lets the parts of the program end.
func closeParts(p *runtime.Program, w io.Writer) {
	for _, part := range p.Parts {
		if c, closes := part.(Closer); closes {
			c.Close(w)
		}
	}
}

// commandsOf returns the commands of the parts that the program carries.
func commandsOf(p *runtime.Program) []*cli.Command {
	var commands []*cli.Command
	for _, part := range p.Parts {
		if c, isCommand := part.(Commander); isCommand {
			commands = append(commands, c.Command(p))
		}
	}

	return commands
}

// parts are the words of include: that are commands, with what is wrong with those that this version lacks.
var parts = []cli.Word{
	{Name: "serve", Answer: ", and then generate and build again"},
	{Name: "mcp", Answer: ", and then generate and build again"},
}

// missingParts answers to commands that the program does not carry.
func missingParts(p *runtime.Program) []cli.Word {
	var words []cli.Word
	for _, word := range parts {
		if slices.ContainsFunc(p.Parts, func(part runtime.Part) bool { return part.Part() == word.Name }) {
			continue
		}
		answer := fmt.Sprintf("it needs the part %s: a line include: [%[1]s] in agentc.yaml%s", word.Name, word.Answer)
		words = append(words, cli.Word{Name: word.Name, Answer: answer})
	}

	return words
}
