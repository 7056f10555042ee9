package panel

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// emulator is a terminal: it turns what a program writes into what a person sees. It knows the sequences that a panel needs; any other
// is a fault, since text must not act on a terminal.
type emulator struct {
	mu            sync.Mutex
	columns, rows int
	// reflows says that lines which get too long when the terminal gets narrower go on on the next one, as most terminals have it; else
	// they lose their end.
	reflows bool
	// lines are all that was ever on the screen; the last of them are on it. A wide character has an empty cell behind it.
	lines [][]string
	// goesOn are the lines that were too long, and go on on the next one.
	goesOn map[int]bool
	x, y   int
	wraps  bool
	rest   []byte // the beginning of a sequence or a character
	// faults are sequences that nobody should have sent.
	faults []string
	marks  int // how often the bell rang
	rang   *sync.Cond
}

func newEmulator(columns, rows int, reflows bool) *emulator {
	e := &emulator{columns: columns, rows: rows, reflows: reflows, lines: [][]string{nil}, goesOn: map[int]bool{}, wraps: true}
	e.rang = sync.NewCond(&e.mu)

	return e
}

var sequence = regexp.MustCompile(`^\x1b\[(\??)([0-9;]*)([A-Za-z])`)

func (e *emulator) Write(text []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rest = append(e.rest, text...)
	for len(e.rest) > 0 {
		n := e.next()
		if n == 0 {
			break
		}
		e.rest = e.rest[n:]
	}

	return len(text), nil
}

// next does what the text begins with, and returns how many bytes that was: 0 if more is to come.
func (e *emulator) next() int {
	if e.rest[0] == '\x1b' {
		m := sequence.FindSubmatch(e.rest)
		switch {
		case m != nil:
			e.obey(string(m[1]), string(m[2]), m[3][0])
			return len(m[0])
		case len(e.rest) < 12:
			return 0
		}
		e.faults = append(e.faults, fmt.Sprintf("%q", e.rest[:12]))
		return 1
	}
	if !utf8.FullRune(e.rest) {
		return 0
	}
	r, n := utf8.DecodeRune(e.rest)
	switch r {
	case '\t':
		e.put(' ')
	case '\r':
		e.x = 0
	case '\n':
		e.down()
	case '\a':
		e.marks++
		e.rang.Broadcast()
	default:
		if unicode.IsControl(r) {
			e.faults = append(e.faults, fmt.Sprintf("%q", r))
			break
		}
		e.put(r)
	}

	return n
}

func (e *emulator) obey(private, parameters string, final byte) {
	n, _ := strconv.Atoi(parameters)
	switch what := private + string(final); {
	case what == "A":
		e.y = max(e.y-max(n, 1), e.top())
	case what == "K" && n == 0:
		e.lines[e.y] = e.lines[e.y][:min(e.x, len(e.lines[e.y]))]
	case what == "J" && n == 0:
		e.lines[e.y] = e.lines[e.y][:min(e.x, len(e.lines[e.y]))]
		e.lines = e.lines[:e.y+1]
		maps.DeleteFunc(e.goesOn, func(i int, _ bool) bool { return i >= e.y })
	case what == "?h" && n == 7, what == "?l" && n == 7:
		e.wraps = final == 'h'
	case what == "m":
	default:
		e.faults = append(e.faults, fmt.Sprintf("%q", private+parameters+string(final)))
	}
}

// top is the first line on the screen.
func (e *emulator) top() int { return max(len(e.lines)-e.rows, 0) }

func (e *emulator) down() {
	if e.y++; e.y == len(e.lines) {
		e.lines = append(e.lines, nil)
	}
}

// cellsOf is how many cells a character takes here: known otherwise than the program under test knows it.
func cellsOf(r rune) int {
	switch {
	case unicode.Is(unicode.M, r):
		return 0
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul), 0x1F300 <= r && r <= 0x1FAFF:
		return 2
	}

	return 1
}

func (e *emulator) put(r rune) {
	n := cellsOf(r)
	line := e.lines[e.y]
	if n == 0 {
		if e.x > 0 && e.x <= len(line) {
			line[e.x-1] += string(r)
		}
		return
	}
	if e.x+n > e.columns {
		if e.wraps {
			e.goesOn[e.y] = true
			e.x = 0
			e.down()
		} else {
			e.x = e.columns - n
		}
		line = e.lines[e.y]
	}
	for len(line) < e.x+n {
		line = append(line, " ")
	}
	line[e.x] = string(r)
	if n == 2 {
		line[e.x+1] = ""
	}
	e.lines[e.y] = line
	e.x += n
}

// resize is what a person does to the window.
func (e *emulator) resize(columns int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var lines [][]string
	goesOn := map[int]bool{}
	y := 0
	for i := 0; i < len(e.lines); i++ {
		if i == e.y {
			y = len(lines)
		}
		line := e.lines[i]
		for e.reflows && e.goesOn[i] {
			i++
			line = append(slices.Clone(line), e.lines[i]...)
		}
		for e.reflows && len(line) > columns {
			cut := columns
			if line[cut] == "" { // the second half of a wide character
				cut--
			}
			goesOn[len(lines)] = true
			lines, line = append(lines, line[:cut:cut]), line[cut:]
		}
		lines = append(lines, line[:min(len(line), columns)])
	}
	e.lines, e.goesOn, e.y, e.columns = lines, goesOn, y, columns
	e.x = min(e.x, columns-1)
}

// screen is what a person sees, without the spaces at the ends of lines and the empty lines at the end.
func (e *emulator) screen() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var b strings.Builder
	for _, line := range e.lines[e.top():] {
		b.WriteString(strings.TrimRight(strings.Join(line, ""), " ") + "\n")
	}

	return strings.TrimRight(b.String(), "\n") + "\n"
}

// await waits until the bell has rung so often.
func (e *emulator) await(times int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for e.marks < times {
		e.rang.Wait()
	}
}
