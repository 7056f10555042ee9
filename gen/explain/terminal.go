package explain

import (
	"bufio"
	"io"
	"strings"
	"unicode/utf8"
)

// Columns is the width to which [Terminal] breaks paragraphs.
const Columns = 80

// The colours of a terminal.
const (
	bold  = "\x1b[1m"
	faint = "\x1b[2m"
	cyan  = "\x1b[36m"
	red   = "\x1b[31m"
	plain = "\x1b[0m"
)

// Terminal writes a page for a person: headings without their signs, paragraphs broken to [Columns] columns, examples
// indented. With colour, headings, file names and marks stand out. The only errors are those of w.
func Terminal(w io.Writer, markdown string, colour bool) error {
	p := &printer{w: bufio.NewWriter(w), colour: colour}
	for _, line := range strings.Split(strings.TrimSpace(markdown), "\n") {
		p.line(line)
	}
	p.paragraph()

	return p.w.Flush()
}

// printer writes a page line by line; errors of w stay in its buffer until Flush.
type printer struct {
	w       *bufio.Writer
	colour  bool
	words   []string // of the paragraph that is being read
	example bool
}

func (p *printer) line(line string) {
	switch {
	case strings.HasPrefix(line, "```"):
		p.paragraph()
		p.example = !p.example
	case p.example:
		p.exampleLine(line)
	case strings.HasPrefix(line, "#"):
		p.paragraph()
		p.print(bold, strings.TrimLeft(line, "# "))
	case line == "":
		p.paragraph()
		p.w.WriteByte('\n')
	default:
		p.words = append(p.words, strings.Fields(line)...)
	}
}

func (p *printer) exampleLine(line string) {
	if line == "" {
		p.w.WriteByte('\n')
		return
	}
	p.w.WriteString("    ")
	text, mark, marked := strings.Cut(line, "# "+Mark)
	switch {
	case strings.HasPrefix(line, "-- ") || strings.HasPrefix(line, "$ "):
		p.print(cyan, line)
	case marked:
		p.w.WriteString(text)
		p.print(red, "# "+Mark+mark)
	default:
		p.print("", line)
	}
}

// Mark is on the line of a wrong example where the finding is.
const Mark = "<-- here"

// paragraph writes the words that were read, as many on a line as fit.
func (p *printer) paragraph() {
	column := 0
	for _, word := range p.words {
		width := utf8.RuneCountInString(word)
		switch {
		case column == 0:
		case column+1+width > Columns:
			p.w.WriteByte('\n')
			column = 0
		default:
			p.w.WriteByte(' ')
			column++
		}
		p.w.WriteString(word)
		column += width
	}
	if column > 0 {
		p.w.WriteByte('\n')
	}
	p.words = nil
}

func (p *printer) print(colour, text string) {
	if p.colour && colour != "" {
		text = colour + text + plain
	}
	p.w.WriteString(text)
	p.w.WriteByte('\n')
}
