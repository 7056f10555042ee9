package journaltest

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

func appended(t T, s journal.Store) {
	file := create(t, s, "r", "one,")
	has(t, s, "r", file, "one,")
	add(t, file, "two\x00\xff\n,")
	add(t, file, "")
	has(t, s, "r", file, "one,two\x00\xff\n,")
	done(t, file)

	for _, more := range []string{"three,", "four"} {
		before := read(t, s, "r")
		file = open(t, s, "r")
		has(t, s, "r", file, before)
		add(t, file, more)
		has(t, s, "r", file, before+more)
		done(t, file)
	}
	if got := read(t, s, "r"); got != "one,two\x00\xff\n,three,four" {
		t.Errorf("in the end it has %q", got)
	}
}

func large(t T, s journal.Store) {
	piece, file := strings.Repeat("0123456789abcde\n", 4096), create(t, s, "r", "")
	for range 40 {
		must(t, "Append", file.Append([]byte(piece)))
	}
	add(t, file, "end")
	has(t, s, "r", file, strings.Repeat(piece, 40)+"end")
	done(t, file)
}

// copied changes what it has given and got.
func copied(t T, s journal.Store) {
	file, buffer := create(t, s, "r", ""), []byte("abc")
	must(t, "Append", file.Append(buffer))
	copy(buffer, "xyz")
	got, err := file.ReadAll()
	must(t, "ReadAll", err)
	clear(got)
	message := []byte("stop")
	must(t, "Post", s.Post(t.Context(), "r", message))
	clear(message)
	add(t, file, "def")
	has(t, s, "r", file, "abcdef")
	receives(t, file, "stop")
	done(t, file)
}

func truncate(t T, s journal.Store) {
	file := create(t, s, "r", "0123456789")
	for _, step := range []struct {
		size      int64
		add, want string
	}{{6, "", "012345"}, {4, "ab", "0123ab"}, {6, "cd", "0123abcd"}, {0, "", ""}, {0, "new", "new"}} {
		must(t, "Truncate", file.Truncate(step.size))
		add(t, file, step.add)
		has(t, s, "r", file, step.want)
	}
	done(t, file)
	file = open(t, s, "r")
	must(t, "Truncate", file.Truncate(1))
	add(t, file, "ow")
	has(t, s, "r", file, "now")
	done(t, file)
}

func emptyJournal(t T, s journal.Store) {
	created(t, s, "r", "")
	file := open(t, s, "r")
	has(t, s, "r", file, "")
	add(t, file, "x")
	has(t, s, "r", file, "x")
	done(t, file)
}

func closed(t T, s journal.Store) {
	file := create(t, s, "r", "x")
	done(t, file)
	if err := file.Append([]byte("late")); err == nil {
		t.Errorf("a file that is closed takes bytes")
	}
	if got := read(t, s, "r"); got != "x" {
		t.Errorf("it has %q", got)
	}
}
