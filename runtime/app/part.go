package app

import (
	"fmt"
	"io"
	"slices"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// Commander is a runtime.Part that brings commands.
type Commander interface {
	runtime.Part
	// Commands are the commands; one alone is named as the part.
	Commands(p *runtime.Program) []*cli.Command
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
			commands = append(commands, c.Commands(p)...)
		}
	}

	return commands
}

// partWords are the commands that parts bring, each with its part.
var partWords = []struct{ command, part string }{
	{"serve", "serve"}, {"mcp", "mcp"}, {"worker", "temporal"}, {"start", "temporal"}, {"reply", "temporal"},
}

// missingParts answers to commands that the program does not carry.
func missingParts(p *runtime.Program) []cli.Word {
	var words []cli.Word
	for _, word := range partWords {
		if slices.ContainsFunc(p.Parts, func(part runtime.Part) bool { return part.Part() == word.part }) {
			continue
		}
		answer := fmt.Sprintf("it needs the part %s: a line include: [%[1]s] in agentc.yaml, and then generate and build again", word.part)
		words = append(words, cli.Word{Name: word.command, Answer: answer})
	}

	return words
}
