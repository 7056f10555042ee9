package app

import (
	"fmt"
	"io"
	"slices"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/compiled"
)

// commander is a compiled.Part that brings commands.
type commander interface {
	compiled.Part
	// Commands are the commands; one alone is named as the part.
	Commands(p *compiled.Program) []*cli.Command
}

// closer is a compiled.Part that has something to do before the process ends, in little time; on w it says what a person has to know of
// that.
type closer interface {
	compiled.Part
	Close(w io.Writer)
}

// closeParts lets the parts of the program end.
func closeParts(p *compiled.Program, w io.Writer) {
	for _, part := range p.Parts {
		if c, closes := part.(closer); closes {
			c.Close(w)
		}
	}
}

// commandsOf returns the commands of the parts that the program carries.
func commandsOf(p *compiled.Program) []*cli.Command {
	var commands []*cli.Command
	for _, part := range p.Parts {
		if c, isCommand := part.(commander); isCommand {
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
func missingParts(p *compiled.Program) map[string]string {
	words := map[string]string{}
	for _, word := range partWords {
		if slices.ContainsFunc(p.Parts, func(part compiled.Part) bool { return part.Part() == word.part }) {
			continue
		}
		const text = "it needs the part %s: a line include: [%[1]s] in agentc.yaml, and then generate and build again"
		words[word.command] = fmt.Sprintf(text, word.part)
	}

	return words
}
