package cli

import (
	"fmt"
	"io"
	"strings"
)

// writeHelp lists the commands.
func (p *Program) writeHelp(w io.Writer) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nusage: %s [-C DIR] COMMAND [FLAGS] [ARGUMENTS]\n\n", p.Summary, p.Name)
	width := 0
	for _, c := range p.Commands {
		width = max(width, len(c.synopsis()))
	}
	for _, c := range p.Commands {
		fmt.Fprintf(&b, "  %-*s  %s\n", width, c.synopsis(), c.Summary)
	}
	fmt.Fprintf(&b, "\n%s COMMAND --help tells more, with an example.\n", p.Name)
	b.WriteString("Exit codes: 0 done, 1 the sources or the run have a problem, 2 usage, 3 our failure or I/O, 4 paused, 128+N ended by signal N.\n")
	_, _ = io.WriteString(w, b.String())
}

// writeHelp tells all about a command.
func (c *Command) writeHelp(w io.Writer, program string) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s\n\nusage: %s %s [FLAGS]\n", program, c.Name, c.Summary, program, c.synopsis())
	if c.Help != "" {
		fmt.Fprintf(&b, "\n%s\n", c.Help)
	}
	fmt.Fprintf(&b, "\nexample:\n%s\n\nflags:\n", indent(c.Example))

	flags := append(append([]Flag(nil), c.Flags...), common...)
	width := 0
	for _, f := range flags {
		width = max(width, len(f.synopsis()))
	}
	for _, f := range flags {
		fmt.Fprintf(&b, "  %-*s  %s\n", width, f.synopsis(), f.Help)
	}
	_, _ = io.WriteString(w, b.String())
}

func (c *Command) synopsis() string { return strings.TrimSpace(c.Name + " " + c.Args) }

func (f Flag) synopsis() string { return strings.TrimSpace(f.Dashed() + " " + f.Value) }

func indent(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }
