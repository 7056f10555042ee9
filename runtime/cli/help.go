package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Help fits a terminal of columns characters. The names of commands and flags have a column of their own of at most
// names characters; what is beside a longer name begins on the next line.
const (
	columns = 80
	names   = 22
)

// writeHelp lists the commands.
func (p *Program) writeHelp(w io.Writer) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nusage: %s [-C DIR] COMMAND [FLAGS] [ARGUMENTS]\n\n", wrap(p.Summary, 0), p.Name)
	var rows [][2]string
	for _, c := range p.Commands {
		rows = append(rows, [2]string{c.Name, c.Summary})
	}
	writeRows(&b, rows)
	fmt.Fprintf(&b, "\n%s COMMAND --help shows how a command is used, with an example.\n", p.Name)
	b.WriteString("Exit codes: 0 done, 1 the sources or the run have a problem, 2 usage,\n3 an internal or I/O error, 4 paused, 128+N ended by signal N.\n")
	_, _ = io.WriteString(w, b.String())
}

// writeHelp prints the help of a command: how it is called, examples, then the rest.
func (c *Command) writeHelp(w io.Writer, program string) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nusage: %s %s [FLAGS]\n", wrap(program+" "+c.Name+": "+c.Summary, 0), program, c.synopsis())
	fmt.Fprintf(&b, "\nexample:\n%s\n", indent(c.Example))
	if c.Help != "" {
		fmt.Fprintf(&b, "\n%s\n", wrap(c.Help, 0))
	}
	b.WriteString("\nflags:\n")
	var rows [][2]string
	for _, f := range append(append([]Flag(nil), c.Flags...), common...) {
		rows = append(rows, [2]string{f.synopsis(), f.Help})
	}
	writeRows(&b, rows)
	_, _ = io.WriteString(w, b.String())
}

func (c *Command) synopsis() string { return strings.TrimSpace(c.Name + " " + c.Args) }

func (f Flag) synopsis() string { return strings.TrimSpace(f.Dashed() + " " + f.Value) }

func indent(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }

// writeRows writes names with what each is for beside it.
func writeRows(b *strings.Builder, rows [][2]string) {
	width := 0
	for _, row := range rows {
		if len(row[0]) <= names {
			width = max(width, len(row[0]))
		}
	}
	for _, row := range rows {
		text := wrap(row[1], width+4)
		if len(row[0]) > width {
			fmt.Fprintf(b, "  %s\n  %*s  %s\n", row[0], width, "", text)
		} else {
			fmt.Fprintf(b, "  %-*s  %s\n", width, row[0], text)
		}
	}
}

// Wrap breaks the paragraphs of a text so that each line fits a terminal. A line that begins with a space is not
// changed.
func Wrap(text string) string { return wrap(text, 0) }

// wrap breaks the paragraphs of a text between words, so that each line ends before the last column and all but the first of
// the text begin at the column margin. A line that begins with a space stays as it is.
func wrap(text string, margin int) string {
	var b strings.Builder
	used := margin
	for i, line := range strings.Split(text, "\n") {
		kept := line == "" || line[0] == ' '
		if i > 0 && (kept || used == margin) {
			b.WriteString("\n" + strings.Repeat(" ", margin))
			used = margin
		}
		if kept {
			b.WriteString(line)
			continue
		}
		for _, word := range strings.Fields(line) {
			n := utf8.RuneCountInString(word)
			switch {
			case used == margin:
			case used+1+n > columns:
				b.WriteString("\n" + strings.Repeat(" ", margin))
				used = margin
			default:
				b.WriteByte(' ')
				used++
			}
			b.WriteString(word)
			used += n
		}
	}

	return b.String()
}
