package recording_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
	"github.com/agentc-dev/agentc/runtime/internal/stores/recording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// FuzzRead: whatever stands in a file, reading it does not panic, what can be read can be added to, and what was there is still there.
func FuzzRead(f *testing.F) {
	dir := f.TempDir()
	path := filepath.Join(dir, "seed.jsonl")
	r, err := recording.Open(path)
	if err != nil {
		f.Fatal(err)
	}
	s, err := r.Begin("desk", "s1", nil)
	if err != nil {
		f.Fatal(err)
	}
	for _, m := range append(conversation(3, 1), made{at: "9", request: of("a:b", asking("a")), err: &model.Error{Status: 500}}) {
		s.Record(m.at, &m.request, m.reply, m.err)
	}
	if err := r.Close(); err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text[:len(text)-20])
	f.Add(bytes.ReplaceAll(text, []byte(`"keep"`), []byte(`"like"`)))
	f.Add([]byte(`{"format":"agentc-recording","version":1}` + "\n" + `{"request":"x","keep":1,"like":"x","reply":{"calls":[{"args":[1]}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		was, err := recording.Read(bytes.NewReader(text), "r.jsonl")
		if err != nil {
			return
		}
		q := asking("a", user("x"))
		_, _ = was.Play(nil).Model(&q, "1.2.3.x")
		disk := onDisk(t, text)
		r, err := recording.OpenOn(disk, "/r.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		s, err := r.Begin(was.Program, "other", nil)
		if err != nil {
			t.Fatal(err)
		}
		turns := conversation(3, 1)
		for _, i := range []int{2, 0, 1} {
			s.Record(turns[i].at, &turns[i].request, turns[i].reply, nil)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		whole, err := disk.ReadFile("/r.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		now, err := recording.Read(bytes.NewReader(whole), "r.jsonl")
		if err != nil || now.Len() != was.Len()+3 {
			t.Fatalf("%d and 3 are %v, %v", was.Len(), now, err)
		}
	})
}

// onDisk is a disk in memory with a file.
func onDisk(t *testing.T, text []byte) files.System {
	t.Helper()
	disk := files.NewMemory()
	file, err := disk.Create("/r.jsonl")
	if err == nil {
		_, err = file.WriteAt(text, 0)
	}
	if err != nil || file.Close() != nil {
		t.Fatal(err)
	}

	return disk
}

// FuzzTexts: what is asked and said comes back, whatever it is.
func FuzzTexts(f *testing.F) {
	f.Add("a\nb", `{"a": 1}`, "id", "\x00\xff")
	f.Add("", "[]", "", "\u2028</script>")
	f.Add("${X}", `{"a":"\u003c<"}`, "1", "\r\n")
	f.Fuzz(func(t *testing.T, said, args, id, asked string) {
		disk := onDisk(t, nil)
		calls := []model.ToolCall{{ID: id, Name: asked, Args: args}, {ID: id, Name: said, Args: said}}
		q := asking(asked, user(said), model.Message{Role: model.RoleAssistant, Text: asked, Calls: calls},
			model.Message{Role: model.RoleTool, CallID: id, Name: asked, Text: args})
		q.Tools = []model.Tool{{Name: said, Schema: args}}
		q.Schema = args
		to, err := recording.OpenOn(disk, "/r.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		s, err := to.Begin("desk", "", nil)
		if err != nil {
			t.Fatal(err)
		}
		s.Record("1", &q, model.Reply{Text: said, Calls: calls}, nil)
		s.Record("2", &q, text(args), nil)
		if err := to.Close(); err != nil {
			t.Fatal(err)
		}
		whole, err := disk.ReadFile("/r.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		r, err := recording.Read(bytes.NewReader(whole), "r.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		p := r.Play(nil)
		got, err := p.Model(&q, "1")
		valid := func(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
		if err != nil || got.Text != valid(said) || len(got.Calls) != 2 || got.Calls[0].Args != valid(args) || got.Calls[0].Name != valid(asked) ||
			got.Calls[1].Args != valid(said) {
			t.Fatalf("%+v %v", got, err)
		}
		if next := play(p, "2", q); next != valid(args) {
			t.Fatal(next)
		}
	})
}
