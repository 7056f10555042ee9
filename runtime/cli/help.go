package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
)

// Help is 80 columns wide, or as wide as a terminal that is narrower. The names of commands and
// flags have a column of at most names characters; what is beside a longer name begins on the next
// line. Below narrow columns it is there for each name.
const (
	columns = 80
	names   = 22
	narrow  = 60
)

// textWidth returns how wide text for w is: 80 columns, or those of a terminal that has fewer.
func (e *Env) textWidth(w any) int {
	if !e.IsTerminal(w) {
		return columns
	}
	has, _ := e.Size(w)

	return min(columns, has)
}

// writeHelp lists the commands.
func (p *Program) writeHelp(env *Env, w io.Writer) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nusage: %s [-C DIR] COMMAND [FLAGS] [ARGUMENTS]\n\n", env.Wrap(w, p.Summary), p.Name)
	var rows [][2]string
	for _, c := range p.Commands {
		rows = append(rows, [2]string{c.Name, c.Summary})
	}
	writeRows(&b, rows, env.textWidth(w))
	fmt.Fprintf(&b, "\n%s COMMAND --help shows how a command is used, with an example.\n", p.Name)
	b.WriteString("Exit codes: 0 done, 1 a problem of the sources or the run, 2 a usage error,\n3 an internal or I/O error, 4 paused, 128+N ended by signal N.\n")
	_, _ = io.WriteString(w, env.Fit(w, b.String()))
}

// writeHelp prints the help of a command: how it is called, examples, then the rest.
func (c *Command) writeHelp(env *Env, program string) {
	w := env.Stdout
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nusage: %s [FLAGS]\n", env.Wrap(w, program+" "+c.Name+": "+c.Summary), strings.TrimSpace(program+" "+c.Name+" "+c.Args))
	fmt.Fprintf(&b, "\nexample:\n  %s\n", strings.ReplaceAll(c.Example, "\n", "\n  "))
	if c.Help != "" {
		fmt.Fprintf(&b, "\n%s\n", env.Wrap(w, c.Help))
	}
	b.WriteString("\nflags:\n")
	var rows [][2]string
	for _, f := range append(append([]Flag(nil), c.Flags...), common...) {
		rows = append(rows, [2]string{strings.TrimSpace(f.Dashed() + " " + f.Value), f.Help})
	}
	writeRows(&b, rows, env.textWidth(w))
	_, _ = io.WriteString(w, env.Fit(w, b.String()))
}

// writeRows writes names and their descriptions in two columns of a terminal.
func writeRows(b *strings.Builder, rows [][2]string, columns int) {
	longest := 0
	for _, row := range rows {
		if len(row[0]) <= names {
			longest = max(longest, len(row[0]))
		}
	}
	margin := longest + 4
	if columns < narrow {
		longest, margin = 0, 6
	}
	for _, row := range rows {
		text := wrapText(row[1], margin, columns)
		if len(row[0]) > longest {
			fmt.Fprintf(b, "  %s\n%*s%s\n", row[0], margin, "", text)
		} else {
			fmt.Fprintf(b, "  %-*s  %s\n", longest, row[0], text)
		}
	}
}

// Wrap breaks the paragraphs of a text for w: each line is at most 80 columns wide, or as wide as a
// terminal that is narrower. A line that begins with a space is broken only where it has no room.
func (e *Env) Wrap(w any, text string) string { return e.Fit(w, wrapText(text, 0, e.textWidth(w))) }

// Fit breaks the lines of a text that are wider than w, if that is a terminal of less than 80
// columns: between words, with what follows two columns further to the right than the line.
func (e *Env) Fit(w any, text string) string {
	room := e.textWidth(w)
	if room >= columns {
		return text
	}

	return FitTo(text, room)
}

// FitTo breaks the lines of a text that are wider than room columns, as [Env.Fit] does.
func FitTo(text string, room int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = fitLine(line, room)
	}

	return strings.Join(lines, "\n")
}

func fitLine(line string, room int) string {
	if cells.Width(cells.Plain(line)) <= room {
		return line
	}
	rest := strings.TrimLeft(line, " ")
	first := min(len(line)-len(rest), room/2)
	margin := strings.Repeat(" ", min(first+2, room/2))
	b, used, begun := line[:first], first, false
	for rest != "" {
		word := strings.TrimLeft(rest, " ")
		gap := rest[:len(rest)-len(word)]
		if end := strings.IndexByte(word, ' '); end >= 0 {
			word = word[:end]
		}
		rest = rest[len(gap)+len(word):]
		n := cells.Width(cells.Plain(word))
		if begun && used+len(gap)+n > room {
			b, used, gap = b+"\n"+margin, len(margin), ""
		}
		b, used, begun = b+gap+word, used+len(gap)+n, true
	}

	return b
}

// wrapText breaks the paragraphs of a text between words, so that each line ends before the last
// column and all but the first of the text begin at the column margin. A line that begins with a
// space stays as it is.
func wrapText(text string, margin, columns int) string {
	var lines []string
	paragraph := ""
	flush := func() {
		lines = append(lines, cells.Wrap(paragraph, columns-margin, columns-margin)...)
		paragraph = ""
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" && line[0] != ' ' {
			paragraph += line + " "
			continue
		}
		flush()
		lines = append(lines, line)
	}
	flush()

	return strings.Join(lines, "\n"+strings.Repeat(" ", margin))
}
