package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 5, time.UTC)

// samples are entries of every kind, with awkward texts.
func samples() []*Entry {
	seven := uint64(7)
	return []*Entry{
		{Time: noon, Kind: Create, Result: Accepted, ID: "desk/ü \"#\" ../👩‍👩‍👧", To: "draft", Version: 1, Snapshot: json.RawMessage(`{"type":"fsm"}`)},
		{Time: noon, Kind: Transition, Result: Accepted, ID: "desk", Agent: "a", Identity: "b", Key: "k", From: "draft", To: "review",
			Version: 2, Expires: noon.Add(time.Hour), Value: "a\nb\x00\u2028", Metadata: "{\n\"a\" : \"<&>\"}", Snapshot: json.RawMessage(`{"a":[1,{"b":"é"}]}`)},
		{Time: noon, Kind: Transition, Result: Stale, ID: "desk", Key: "k", Error: "no: \xff", Expected: &seven, Version: 2},
		{Time: noon, Kind: Write, Result: Accepted, Key: "plan", Value: ` {"x": 1.0} `, Expires: noon.Add(time.Minute)},
		{Time: noon, Kind: Expire, Result: Accepted, Key: "plan"},
		{Time: noon.In(time.FixedZone("", 3600)), Kind: Transition, Result: Accepted, ID: "desk", Key: "end", From: "review", Version: 3},
	}
}

// written is a folder with a record of the samples.
func written(t testing.TB) (dir string, content []byte) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "store")
	l, err := Open(context.Background(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	appendAll(t, l, samples()...)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	content, err = os.ReadFile(filepath.Join(dir, recordName))
	if err != nil {
		t.Fatal(err)
	}

	return dir, content
}

func appendAll(t testing.TB, l *Log, entries ...*Entry) {
	t.Helper()
	if err := l.Begin(context.Background()); err != nil {
		t.Fatal(err)
	}
	defer l.End()
	if err := l.Append(entries); err != nil {
		t.Fatal(err)
	}
}

func lineOf(t testing.TB, e *Entry) []byte {
	t.Helper()
	line, err := e.Append(nil)
	if err != nil {
		t.Fatal(err)
	}

	return line
}

func TestLinesComeBack(t *testing.T) {
	prev := zeroHash
	for i, e := range samples() {
		e.Seq, e.Prev = uint64(i+1), prev
		e.normalize()
		line := lineOf(t, e)
		if strings.Count(string(line), "\n") != 1 || !json.Valid(line) {
			t.Fatalf("no line of JSON: %s", line)
		}
		back, problem := parseLine(line[:len(line)-1])
		if problem != "" || !reflect.DeepEqual(&back, e) {
			t.Errorf("%s: %s\ngot  %+v\nwant %+v", problem, line, back, *e)
		}
		prev = e.Hash
	}
}

// TestOtherToolsVerify: what the package page says about sed, jq and sha256sum is so.
func TestOtherToolsVerify(t *testing.T) {
	for _, tool := range []string{"sh", "sed", "jq", "sha256sum"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s here", tool)
		}
	}
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	dir, content := written(t)
	var commands []string
	for line := range strings.Lines(string(page)) {
		if command, ok := strings.CutPrefix(line, "    sed "); ok {
			commands = append(commands, "sed "+strings.TrimSpace(command))
		}
	}
	if len(commands) != 4 {
		t.Fatalf("the page has %d commands", len(commands))
	}
	for line := 2; line <= strings.Count(string(content), "\n"); line++ {
		var said []string
		for _, command := range commands {
			numbers := strings.NewReplacer("-n 7p", fmt.Sprintf("-n %dp", line), "-n 6p", fmt.Sprintf("-n %dp", line-1))
			cmd := exec.Command("sh", "-c", numbers.Replace(command))
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if err != nil || len(out) != 65 {
				t.Fatalf("%s: %v: %s", command, err, out)
			}
			said = append(said, string(out))
		}
		if said[0] != said[1] || said[2] != said[3] || said[0] == said[2] {
			t.Errorf("line %d: %q", line, said)
		}
	}
}

// TestEveryChangedByteIsFound: no byte can be anything else.
func TestEveryChangedByteIsFound(t *testing.T) {
	_, content := written(t)
	lines := strings.SplitAfter(string(content), "\n")
	first := 0
	for number, line := range lines {
		for i := range line {
			for _, other := range []byte{content[first+i] ^ 1, content[first+i] ^ 0x20, ' ', '\n'} {
				if other == content[first+i] {
					continue
				}
				changed := []byte(string(content))
				changed[first+i] = other
				_, err := Verify(strings.NewReader(string(changed)), nil)
				var damaged *DamagedError
				if !errors.As(err, &damaged) || damaged.Line != uint64(number+1) || damaged.Offset != int64(first) {
					t.Fatalf("byte %d of line %d is %q: %v", i, number+1, other, err)
				}
			}
		}
		first += len(line)
	}
}

// chained writes the chain of lines anew, as somebody could who can write the file.
func chained(t *testing.T, entries []Entry) (content string) {
	prev := zeroHash
	for i := range entries {
		e := entries[i]
		e.Prev = prev
		content += string(lineOf(t, &e))
		prev = e.Hash
	}

	return content
}

func TestVerify(t *testing.T) {
	_, content := written(t)
	lines := strings.SplitAfter(strings.TrimSuffix(string(content), "\n"), "\n")
	lines[len(lines)-1] += "\n"
	head, err := Verify(strings.NewReader(string(content)), nil)
	if err != nil || head.Seq != uint64(len(lines)) {
		t.Fatalf("%+v, %v", head, err)
	}
	var entries []Entry
	for _, line := range lines {
		e, _ := parseLine([]byte(line[:len(line)-1]))
		entries = append(entries, e)
	}
	entries[2].Result = Accepted
	forged := chained(t, entries)
	join := func(order ...int) (text string) {
		for _, i := range order {
			text += lines[i]
		}
		return text
	}
	stripped := lines[2][:strings.Index(lines[2], `,"hash"`)] + "}\n"

	tests := []struct {
		name, content string
		anchor        *Head
		line          uint64
		problem       string
	}{
		{"a line removed", join(0, 1, 3, 4, 5), nil, 3, "it is entry 4 where 3 should be"},
		{"the first removed", join(1, 2, 3, 4, 5), nil, 1, "it is entry 2 where 1 should be"},
		{"lines exchanged", join(0, 2, 1, 3, 4, 5), nil, 2, "it is entry 3 where 2 should be"},
		{"a line twice", join(0, 1, 1, 2, 3, 4, 5), nil, 3, "it is entry 2 where 3 should be"},
		{"an empty line", lines[0] + "\n" + lines[1], nil, 2, "it has no hash"},
		{"a hash stripped", join(0, 1) + stripped + join(3, 4, 5), nil, 3, "it has no hash"},
		{"a line of another chain", join(0, 1) + strings.SplitAfter(forged, "\n")[2] + join(3, 4, 5), nil, 4, "it does not follow"},
		{"a last line that is not complete", join(0, 1) + lines[2][:40], nil, 3, "it is not complete"},
		{"the tail cut, with an anchor", join(0, 1, 2), &head, 0, "it ends with entry 3, but the anchor knows entry 6"},
		{"all cut, with an anchor", "", &head, 0, "it ends with entry 0"},
		{"written anew, with an anchor", forged, &head, 6, "its hash is not that of the anchor"},
		{"a field more", respelled(lines[0], `{"seq":1,`, `{"seq":1,"note":"x",`), nil, 1, "it is not spelled as entries are"},
		{"a space more", respelled(lines[0], `{"seq":1,`, `{"seq": 1,`), nil, 1, "it is not spelled as entries are"},
		{"a field twice", respelled(lines[0], `{"seq":1,`, `{"seq":1,"seq":1,`), nil, 1, "it is not spelled as entries are"},
		{"no JSON", respelled(lines[0], `{"seq":1,`, `{"seq":1`), nil, 1, "it is not an entry"},
	}
	for _, test := range tests {
		_, err := Verify(strings.NewReader(test.content), test.anchor)
		var damaged *DamagedError
		if !errors.As(err, &damaged) || damaged.Line != test.line || !strings.HasPrefix(damaged.Problem, test.problem) {
			t.Errorf("%s: %v", test.name, err)
		}
	}

	for name, content := range map[string]string{"all": string(content), "forged without anchor": forged} {
		if _, err := Verify(strings.NewReader(content), nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	early := entries[1].Head()
	if _, err := Verify(strings.NewReader(string(content)), &early); err != nil {
		t.Errorf("an anchor in the middle: %v", err)
	}
}

// respelled changes a line and gives it the hash that it then needs.
func respelled(line, from, to string) string {
	fields, _, _ := splitHash([]byte(strings.Replace(line[:len(line)-1], from, to, 1)))
	return sealLine(fields)
}

func sealLine(fields []byte) string {
	sum := sha256.Sum256(fields)
	return string(fields) + hashField + hex.EncodeToString(sum[:]) + "\"}\n"
}

// FuzzRead: whatever a record holds, reading it ends, with the lines before the fault; and each line that is read has one
// spelling.
func FuzzRead(f *testing.F) {
	_, content := written(f)
	f.Add(content)
	f.Add(content[:len(content)-1])
	f.Add([]byte("\n"))
	f.Add([]byte("\x00\x00\x00"))
	for line := range strings.Lines(string(content)) {
		fields, _, _ := splitHash([]byte(strings.TrimSuffix(line, "\n")))
		f.Add(fields)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		// The bytes are also tried as the fields of a line whose hash fits, so that more than the hash is tested.
		for _, content := range [][]byte{content, []byte(sealLine(content))} {
			c, state, again := &chain{}, newState(), []byte(nil)
			err := c.readLines(strings.NewReader(string(content)), func(e Entry, at int64) error {
				state.applyEntry(&e, at)
				if at != int64(len(again)) {
					t.Fatalf("entry %d is said to be at %d", e.Seq, at)
				}
				again = append(again, lineOf(t, &e)...)
				return nil
			})
			if !strings.HasPrefix(string(content), string(again)) || err == nil && len(again) != len(content) {
				t.Fatalf("%v\nread    %q\nwritten %q", err, content, again)
			}
			if int64(len(again)) != c.end {
				t.Fatalf("the end is %d, not %d", c.end, len(again))
			}
		}
	})
}
