package recording_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/stores/recording"
	"github.com/agentc-dev/agentc/runtime/model"
)

func contentOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}

	return string(text)
}

// conversation is n turns of an agent that calls a tool each time; long is how long the results are.
func conversation(n, long int) []made {
	messages := []model.Message{user("begin")}
	var all []made
	for turn := range n {
		q := asking("a", messages[:len(messages):len(messages)]...)
		q.Tools = []model.Tool{{Name: "look", Description: "Looks.", Schema: `{"type":"object"}`}}
		calls := []model.ToolCall{{ID: fmt.Sprintf("call_%x", turn*7919), Name: "look", Args: fmt.Sprintf(`{"at":%d}`, turn)}}
		all = append(all, made{at: fmt.Sprint(2*turn + 1), request: q, reply: model.Reply{Calls: calls, StopReason: "tool_calls"}})
		messages = append(messages, model.Message{Role: model.RoleAssistant, Calls: calls},
			model.Message{Role: model.RoleTool, CallID: calls[0].ID, Name: "look", Text: fmt.Sprint(turn, strings.Repeat(" seen", long))})
	}

	return all
}

// TestLines: the file is what README.md says, byte for byte.
func TestLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	zero := 0.0
	ask := asking("a", user("two < three & four?"))
	ask.Model = &model.Choice{Role: "worker", Name: "acme:m", Settings: model.Settings{Temperature: &zero}}
	again := asking("a", user("something else"))
	record(t, path, append(conversation(2, 1),
		made{at: "5", request: ask, reply: model.Reply{Text: "yes", Usage: model.Usage{Input: 3, Output: 1}, Cost: 7}},
		made{at: "6", request: ask, err: &model.Error{Class: model.RateLimit, Status: 429, Message: "slow down", RetryAfter: 1500e6}},
		made{at: "7", request: again, reply: text("no")},
	))
	const want = `{"format":"agentc-recording","version":1,"program":"desk","shape":"s1"}
{"request":"REQUEST1","at":"1","agent":"a","system":"You are a.","tools":[{"name":"look","description":"Looks.","schema":{"type":"object"}}],"messages":[{"role":"user","text":"begin"}],"reply":{"calls":[{"id":"1","name":"look","args":{"at":0}}],"stop":"tool_calls"}}
{"request":"REQUEST2","at":"3","agent":"a","like":"REQUEST1","messages":[{"role":"assistant","calls":[{"id":"1","name":"look","args":{"at":0}}]},{"role":"tool","text":"0 seen","call":"1","name":"look"}],"reply":{"calls":[{"id":"2","name":"look","args":{"at":1}}],"stop":"tool_calls"}}
{"request":"REQUEST3","at":"5","agent":"a","model":"acme:m","temperature":0,"like":"REQUEST1","keep":0,"tools":[],"messages":[{"role":"user","text":"two < three & four?"}],"reply":{"text":"yes","usage":{"input":3,"output":1},"cost":7}}
{"request":"REQUEST3","at":"6","agent":"a","model":"acme:m","temperature":0,"like":"REQUEST3","error":{"class":"rate-limit","status":429,"message":"slow down","retry_after":"1.5s"}}
{"request":"REQUEST4","at":"7","agent":"a","like":"REQUEST1","keep":0,"tools":[],"messages":[{"role":"user","text":"something else"}],"reply":{"text":"no","stop":"stop"}}
`
	got := contentOf(t, path)
	for i, line := range strings.Split(got, "\n") {
		if rest, ok := strings.CutPrefix(line, `{"request":"`); ok {
			name := map[int]string{1: "REQUEST1", 2: "REQUEST2", 3: "REQUEST3", 5: "REQUEST4"}[i]
			if name != "" {
				got = strings.ReplaceAll(got, rest[:24], name)
			}
		}
	}
	if got != want {
		t.Errorf("got\n%s", got)
	}
}

// TestConversationsCostTheirLength: twice as many turns make a file that is twice as long.
func TestConversationsCostTheirLength(t *testing.T) {
	sizes := map[int]int{}
	for _, n := range []int{50, 100, 200} {
		path := filepath.Join(t.TempDir(), "r.jsonl")
		record(t, path, conversation(n, 200))
		sizes[n] = len(contentOf(t, path))
		r, err := recording.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p := r.Play(nil)
		for _, m := range conversation(n, 200) {
			if reply, err := p.Model(&m.request, m.at); err != nil || len(reply.Calls) != 1 {
				t.Fatal(err)
			}
		}
	}
	if sizes[100]*10 > sizes[50]*21 || sizes[200]*10 > sizes[100]*21 {
		t.Errorf("%v", sizes)
	}
}

// TestRacingBranches: the file does not depend on how fast branches are, and has everything.
func TestRacingBranches(t *testing.T) {
	files := map[string]bool{}
	for seed := range 10 {
		path := filepath.Join(t.TempDir(), "r.jsonl")
		r, err := recording.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := r.Begin("desk", "s1", nil)
		if err != nil {
			t.Fatal(err)
		}
		q := asking("a", user("start"))
		s.Record("1", &q, text("go"), nil)
		var all sync.WaitGroup
		for branch := range 12 {
			all.Go(func() {
				random := rand.New(rand.NewPCG(uint64(seed), uint64(branch)))
				for _, m := range conversation(4, branch) {
					for range random.IntN(50) {
						goruntime.Gosched()
					}
					m.request.System += fmt.Sprint(branch % 3)
					s.Record(fmt.Sprintf("2.%d.%s", branch, m.at), &m.request, m.reply, m.err)
				}
			})
		}
		all.Wait()
		s.Record("3", &q, text("stop"), nil)
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		back, err := recording.ReadFile(path)
		if err != nil || back.Len() != 2+12*4 {
			t.Fatalf("%v %v", back, err)
		}
		files[contentOf(t, path)] = true
		if names, _ := filepath.Glob(filepath.Dir(path) + "/*"); len(names) != 1 {
			t.Errorf("there are %v", names)
		}
	}
	if len(files) != 1 {
		t.Errorf("the same run makes %d files", len(files))
	}
}

// TestAdding: a recording goes on with what it has, a torn tail is cut off, and what people have edited is no trap.
func TestAdding(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	turns := conversation(3, 1)
	record(t, path, turns[:1])
	begun := contentOf(t, path)
	record(t, path, turns[1:])
	whole := contentOf(t, path)
	if !strings.HasPrefix(whole, begun) || strings.Count(whole, `"like"`) != 2 || strings.Count(whole, `"format"`) != 1 {
		t.Errorf("%s", whole)
	}
	for name, was := range map[string]string{
		"torn":             whole[:len(whole)-30],
		"without a break":  strings.TrimSuffix(whole, "\n"),
		"with empty lines": whole + "\n\n",
		"edited":           strings.ReplaceAll(whole, "You are a.", "You were a."),
		"without labels":   strings.Replace(whole, `"request":"`+labelOf(whole, 4)+`",`, "", 1),
	} {
		if err := os.WriteFile(path, []byte(was), 0o644); err != nil {
			t.Fatal(err)
		}
		before, err := recording.ReadFile(path)
		if err != nil || before.Torn != (name == "torn") {
			t.Fatalf("%s: %v %v", name, before, err)
		}
		record(t, path, turns)
		after, err := recording.ReadFile(path)
		if err != nil || after.Len() != before.Len()+3 || after.Torn {
			t.Errorf("%s: %d and 3 are %d, %v\n%s", name, before.Len(), after.Len(), err, contentOf(t, path))

			continue
		}
		p := after.Play(nil)
		for _, m := range turns {
			if got := play(p, m.at, m.request); got != "" {
				t.Errorf("%s: %s", name, got)
			}
		}
	}
}

// labelOf is the label of a line.
func labelOf(text string, line int) string {
	return strings.Split(text, "\n")[line-1][len(`{"request":"`):][:24]
}

// TestSeveralPrograms: a recording is one program's, but recordings may stand behind each other.
func TestSeveralPrograms(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.jsonl")
	record(t, a, conversation(2, 1))
	r, err := recording.Open(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, shape := range []string{"t1", "t2"} {
		s, err := r.Begin("office", shape, nil)
		if err != nil {
			t.Fatal(err)
		}
		q := asking(shape, user("x"))
		s.Record("1", &q, text("office"), nil)
	}
	var other *recording.ProgramError
	if _, err := r.Begin("desk", "s1", nil); !errors.As(err, &other) || other.Recorded != "office" || other.Program != "desk" {
		t.Error(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	both := filepath.Join(dir, "both.jsonl")
	if err := os.WriteFile(both, []byte(contentOf(t, a)+contentOf(t, b)), 0o644); err != nil {
		t.Fatal(err)
	}
	all, err := recording.ReadFile(both)
	if err != nil || all.Len() != 4 || all.Program != "office" || all.Shape != "t2" || strings.Count(contentOf(t, both), `"format"`) != 3 {
		t.Errorf("%+v %v\n%s", all, err, contentOf(t, both))
	}
}

// TestNoRecording: what is none is not written to, and not played.
func TestNoRecording(t *testing.T) {
	dir := t.TempDir()
	const head = `{"format":"agentc-recording","version":1}` + "\n"
	for text, want := range map[string]string{
		"my thesis\n":                      "r.jsonl, line 1: it is not a recording",
		"my thesis":                        "r.jsonl, line 1: it is not a recording",
		"{}":                               "r.jsonl, line 1: it is not a recording",
		"\n\n":                             "r.jsonl, line 1: it is not a recording",
		`{"format":"x","version":1}`:       "r.jsonl, line 1: it is not a recording",
		`{"format":"agentc-recording"}`:    "r.jsonl, line 1: its version is 0",
		strings.Replace(head, "1", "2", 1): "r.jsonl, line 1: its version is 2, and this program reads version 1",
		strings.Replace(head, "1", `1,"by":"me"`, 1):                                    `r.jsonl, line 1: json: unknown field "by"`,
		head + `{"request":"x","reply":{"text":1}}` + "\n":                              "r.jsonl, line 2: json: cannot unmarshal number",
		head + `{"request":"x","reply":{},"error":{}}` + "\n":                           "r.jsonl, line 2: a line has reply or error, one of them",
		head + "\n" + `{"request":"x"}` + "\n":                                          "r.jsonl, line 3: a line has reply or error",
		head + `{"like":"x","reply":{}}`:                                                "r.jsonl, line 2: it is like x, which no line before it is",
		head + `{"request":"x","reply":{}} {}` + "\n":                                   "r.jsonl, line 2: there is more behind its JSON object",
		head + `{"request":"x","reply":{}` + "\n" + head:                                "r.jsonl, line 2: unexpected EOF",
		head + `{"request":"x","reply":{}}` + "\n" + `{"like":"x","keep":1,"reply":{}}`: "r.jsonl, line 3: it keeps 1 messages of x, which has 0",
		head + `{"request":"x","error":{"retry_after":"soon"}}` + "\n":                  "r.jsonl, line 2: time: invalid duration",
	} {
		path := filepath.Join(dir, "r.jsonl")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := recording.Read(strings.NewReader(text), "r.jsonl")
		var faulty *recording.FormatError
		if !errors.As(err, &faulty) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
		if _, err := recording.Open(path); !errors.As(err, &faulty) || contentOf(t, path) != text {
			t.Errorf("%q is written to: %v", text, err)
		}
	}
	var faulty *recording.FormatError
	if _, err := recording.Open(dir); !errors.As(err, &faulty) {
		t.Error(err)
	}
	if _, err := recording.Open(filepath.Join(dir, "no", "r.jsonl")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestEndlessLine: a line that is too long is an error before it is in memory.
func TestEndlessLine(t *testing.T) {
	endless := &zeros{}
	var faulty *recording.FormatError
	if _, err := recording.Read(endless, "r.jsonl"); !errors.As(err, &faulty) || faulty.Line != 1 {
		t.Error(err)
	}
	if endless.read > recording.MaxLine+1<<20 {
		t.Errorf("%d bytes were read", endless.read)
	}
}

// zeros is a reader that never ends.
type zeros struct{ read int64 }

func (z *zeros) Read(p []byte) (int, error) {
	z.read += int64(len(p))
	for i := range p {
		p[i] = '0'
	}

	return len(p), nil
}

// TestLongLine: what is too long to be read back is not written, and says so at the end.
func TestLongLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	r, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Begin("desk", "s1", nil)
	if err != nil {
		t.Fatal(err)
	}
	q := asking("a", user("x"))
	s.Record("1", &q, text("short"), nil)
	s.Record("2", &q, text(strings.Repeat("x", recording.MaxLine)), nil)
	s.Record("3", &q, text("after"), nil)
	var failed *recording.WriteError
	if err := r.Close(); !errors.As(err, &failed) || failed.Path == "" {
		t.Error(err)
	}
	back, err := recording.ReadFile(path)
	if err != nil || back.Len() != 1 || back.Torn {
		t.Errorf("%+v %v", back, err)
	}
}

// TestOneAtATime: two do not record into one file, and a recording that is closed takes nothing.
func TestOneAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	r, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("there is a file before anything is recorded: %v", err)
	}
	second, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Begin("desk", "", nil); err != nil {
		t.Fatal(err)
	}
	var busy *recording.BusyError
	if _, err := recording.Open(path); !errors.As(err, &busy) {
		t.Error(err)
	}
	if _, err := second.Begin("desk", "", nil); !errors.Is(err, os.ErrExist) {
		t.Error(err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a recording of nothing is left: %v", err)
	}
	var failed *recording.WriteError
	if _, err := r.Begin("desk", "", nil); !errors.As(err, &failed) {
		t.Error(err)
	}
	if err := r.Close(); !errors.As(err, &failed) {
		t.Error(err)
	}
}

// TestLinks: a link to a recording stays one, also when the lines are put in order.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(dir, "real.jsonl"), filepath.Join(dir, "link.jsonl")); err != nil {
		t.Skip(err)
	}
	turns := conversation(2, 1)
	record(t, filepath.Join(dir, "real.jsonl"), turns)
	record(t, filepath.Join(dir, "link.jsonl"), []made{turns[1], turns[0]})
	if target, err := os.Readlink(filepath.Join(dir, "link.jsonl")); err != nil || filepath.Base(target) != "real.jsonl" {
		t.Error(target, err)
	}
	if back, err := recording.ReadFile(filepath.Join(dir, "real.jsonl")); err != nil || back.Len() != 4 {
		t.Error(err)
	}
}

// TestGone: a recording whose file somebody takes away says so.
func TestGone(t *testing.T) {
	if goruntime.GOOS == "windows" {
		t.Skip("nobody can take away what is open")
	}
	path := filepath.Join(t.TempDir(), "r.jsonl")
	r, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Begin("desk", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	q := asking("a", user("x"))
	s.Record("1", &q, text("y"), nil)
	var failed *recording.WriteError
	if err := r.Close(); !errors.As(err, &failed) {
		t.Error(err)
	}
}
