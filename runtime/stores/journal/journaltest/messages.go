package journaltest

import (
	"fmt"
	"slices"
	"sync"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// receives takes the messages of a run and wants those.
func receives(t T, file journal.File, want ...string) {
	t.Helper()
	if got := take(t, file); !slices.Equal(got, want) {
		t.Errorf("the messages are %q, want %q", got, want)
	}
}

func take(t T, file journal.File) []string {
	t.Helper()
	messages, err := file.Messages()
	must(t, "Messages", err)
	var texts []string
	for _, message := range messages {
		texts = append(texts, string(message))
	}

	return texts
}

func post(t T, s journal.Store, run string, messages ...string) {
	t.Helper()
	for _, message := range messages {
		must(t, "Post", s.Post(t.Context(), run, []byte(message)))
	}
}

func messages(t T, s journal.Store) {
	file, other := create(t, s, "r", "x"), create(t, s, "s", "x")
	receives(t, file)
	post(t, s, "r", "one", "", "three\x00\xff\n")
	receives(t, other)
	receives(t, file, "one", "", "three\x00\xff\n")
	receives(t, file)
	post(t, s, "r", "four")
	receives(t, file, "four")
	has(t, s, "r", file, "x")
	done(t, file)
	done(t, other)
}

func laterMessages(t T, s journal.Store) {
	created(t, s, "r", "x")
	var want []string
	for i := range 12 {
		want = append(want, fmt.Sprint("message ", i))
	}
	post(t, s, "r", want...)
	file := open(t, s, "r")
	receives(t, file, want...)
	done(t, file)
	file = open(t, s, "r")
	receives(t, file)
	done(t, file)
}

// manyMessages posts from many sides while the owner takes messages and writes: each comes once.
func manyMessages(t T, s journal.Store) {
	const posters, each = 8, 10
	file := create(t, s, "r", "")
	var all sync.WaitGroup
	for p := range posters {
		all.Go(func() {
			for i := range each {
				if err := s.Post(t.Context(), "r", fmt.Appendf(nil, "%d %02d", p, i)); err != nil {
					t.Errorf("Post: %v", err)
				}
			}
		})
	}
	all.Go(func() {
		for range 50 {
			if err := file.Append([]byte("x")); err != nil {
				t.Errorf("Append: %v", err)
			}
		}
	})
	var got []string
	for range 20 {
		got = append(got, take(t, file)...)
	}
	all.Wait()
	got = append(got, take(t, file)...)

	var want []string
	for p := range posters {
		from := fmt.Sprint(p, " ")
		last := ""
		for _, message := range got {
			if message[:len(from)] == from {
				if message <= last {
					t.Errorf("message %q came after %q", message, last)
				}
				last = message
			}
		}
		for i := range each {
			want = append(want, fmt.Sprintf("%d %02d", p, i))
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%d messages came of %d: %q", len(got), len(want), got)
	}
	done(t, file)
}
