package command

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"unicode"
)

// devLines and devKeys list the commands that can be typed.
const (
	devLines = "r [TASK] runs, f ADDRESS forks, a ANSWER answers, s NAME writes a test, q quits"
	devKeys  = "r runs again, R another task, f forks, a answers, s writes a test, q quits"
)

// devPrompts are the prompts of keys that need a line of text.
var devPrompts = map[rune]string{'R': "task", 'f': "from effect", 'a': "answer"}

// Keys of a terminal that are not letters.
const (
	endOfInput = 4
	escape     = 27
)

// readInput reads keys on a terminal, else lines, and sends them to the loop. restore resets the
// terminal.
func (d *dev) readInput(quit func()) (restore func()) {
	in, read := bufio.NewReader(d.c.Stdin), func(in *bufio.Reader) (string, error) { return in.ReadString('\n') }
	restore, areKeys := d.c.ReadKeys()
	if areKeys {
		d.usage = devKeys
		read = func(in *bufio.Reader) (string, error) { return d.readKey(in, restore) }
	} else {
		restore = func() {}
	}
	d.startGuarded(func() {
		for {
			line, err := read(in)
			d.work <- func(ctx context.Context) { d.handleLine(ctx, line, quit) }
			if err != nil {
				return
			}
		}
	})

	return restore
}

// readKey reads a key, and the text that it needs, and returns them as a line.
func (d *dev) readKey(in *bufio.Reader, restore func()) (string, error) {
	key, _, err := in.ReadRune()
	switch {
	case err != nil:
		return "", err
	case key == endOfInput:
		return "q", nil
	case key == escape:
		return "", skipEscape(in)
	case devPrompts[key] == "":
		return string(key), nil
	}
	restore()
	fmt.Fprintf(d.c.Stderr, "%s: ", devPrompts[key])
	text, err := in.ReadString('\n')
	d.c.ReadKeys()
	if strings.TrimSpace(text) == "" {
		return "", err
	}

	return string(unicode.ToLower(key)) + " " + text, err
}

// skipEscape reads the rest of an escape sequence: an arrow is ESC [ A.
func skipEscape(in *bufio.Reader) error {
	isOpen := true
	for isOpen && in.Buffered() > 0 {
		part, _, err := in.ReadRune()
		if err != nil {
			return err
		}
		isOpen = part < '@' || part == '[' || part == 'O'
	}

	return nil
}

// handleLine executes a typed command.
func (d *dev) handleLine(ctx context.Context, line string, quit func()) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	switch {
	case word == "":
		return
	case word == "q":
		quit()
		return
	case word == "r" && rest != "":
		d.startRun(ctx, &devRun{Agent: d.p.chosenAgent(d.c), Input: rest})
		return
	case !strings.Contains("r f a s", word):
		d.printLine("%s", d.usage)
		return
	}
	last, err := d.newestRun(ctx)
	switch {
	case err != nil:
		d.showError(err)
	case last == nil:
		d.printLine("no run has been started: %s", d.usage)
	case word == "r":
		d.startRun(ctx, last)
	case word == "f" && rest == "":
		d.printLine("f needs the address of an effect, which begins the line of the effect")
	case word == "f":
		d.forkRun(ctx, last.Run, map[string]any{"at": strings.TrimPrefix(rest, "#")})
	case word == "a":
		d.answerQuestion(ctx, last, rest)
	case word == "s":
		d.printLine("%s", d.writeTest(ctx, last.Run, rest))
	}
}

// replaceUnprintable replaces characters that a terminal does not display.
func replaceUnprintable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
