package command

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"unicode"
)

// devLines and devKeys say what can be typed.
const (
	devLines = "r [TASK] runs, f ADDRESS forks, a ANSWER answers, s NAME writes a test, q quits"
	devKeys  = "r runs again, R another task, f forks, a answers, s writes a test, q quits"
)

// devPrompts say what a key needs beside it, which is a line.
var devPrompts = map[rune]string{'R': "task", 'f': "from effect", 'a': "answer"}

// Keys of a terminal that are not letters.
const (
	endOfInput = 4
	escape     = 27
)

// readTyped has what is typed done: keys of a terminal, else lines. The terminal is as it was after
// restore.
func (d *dev) readTyped(quit func()) (restore func()) {
	in, read := bufio.NewReader(d.c.Stdin), func(in *bufio.Reader) (string, error) { return in.ReadString('\n') }
	restore, areKeys := d.c.ReadKeys()
	if areKeys {
		d.usage = devKeys
		read = func(in *bufio.Reader) (string, error) { return d.readKey(in, restore) }
	} else {
		restore = func() {}
	}
	d.beside(func() {
		for {
			line, err := read(in)
			d.work <- func(ctx context.Context) { d.typed(ctx, line, quit) }
			if err != nil {
				return
			}
		}
	})

	return restore
}

// readKey reads a key, and what it needs, as a line.
func (d *dev) readKey(in *bufio.Reader, restore func()) (string, error) {
	key, _, err := in.ReadRune()
	switch {
	case err != nil:
		return "", err
	case key == endOfInput:
		return "q", nil
	case key == escape:
		for part := '['; in.Buffered() > 0 && err == nil && (part < '@' || part == '[' || part == 'O'); { // an arrow is ESC [ A
			part, _, err = in.ReadRune()
		}
		return "", err
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

// typed does what a line asks for.
func (d *dev) typed(ctx context.Context, line string, quit func()) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	switch {
	case word == "":
		return
	case word == "q":
		quit()
		return
	case word == "r" && rest != "":
		d.run(ctx, &devRun{Agent: d.p.chosen(d.c), Input: rest})
		return
	case !strings.Contains("r f a s", word):
		d.say("%s", d.usage)
		return
	}
	last, err := d.newest(ctx)
	switch {
	case err != nil:
		d.fail(err)
	case last == nil:
		d.say("no run has been started: %s", d.usage)
	case word == "r":
		d.run(ctx, last)
	case word == "f" && rest == "":
		d.say("f needs the address of an effect, which the lines of the run begin with")
	case word == "f":
		d.fork(ctx, last.Run, map[string]any{"at": strings.TrimPrefix(rest, "#")})
	case word == "a":
		d.answer(ctx, last, rest)
	case word == "s":
		d.say("%s", d.writeTest(ctx, last.Run, rest))
	}
}

// printable is a text on the terminal: characters that are not seen are replaced.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
