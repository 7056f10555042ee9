package memo_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/memo"
)

const (
	machine = `---
name: desk
description: Answers letters.
version: "1"
pattern: fsm
initial: write
states:
  write: send
  send: ~
---
`
	clerk = `---
name: write
description: Writes.
version: "1"
pattern: oneshot
---

Write an answer.
`
	critic = `---
name: letter
description: Writes letters twice.
version: "1"
pattern: critic
---
`
)

func project() fstest.MapFS {
	return fstest.MapFS{
		"agents/desk/AGENT.md":      {Data: []byte(machine)},
		"agents/write/AGENT.md":     {Data: []byte(clerk)},
		"agents/letter/AGENT.md":    {Data: []byte(critic)},
		"agents/letter/draft.md":    {Data: []byte("Write a draft.\n")},
		"agents/letter/critique.md": {Data: []byte("Say what is wrong.\n")},
		"agents/letter/refine.md":   {Data: []byte("Write it again.\n")},
	}
}

// compilation is what generate needs of a result, and where it comes from.
type compilation struct {
	Package, Output string
	Files           []emit.File
	Diagnostics     []*diag.Diagnostic
	Remembered      bool
}

func compile(t *testing.T, m *memo.Memo, fsys fstest.MapFS) compilation {
	t.Helper()
	result, remembered, err := m.Compile(context.Background(), "/project", gen.Options{FS: fsys})
	if err != nil {
		t.Fatal(err)
	}

	return compilation{result.Program.Package, result.Program.Output, result.Files, result.Diagnostics, remembered}
}

func TestRemembersWhatIsUnchanged(t *testing.T) {
	folder := t.TempDir()
	m := memo.New(folder, "this")
	first := compile(t, m, project())
	if first.Remembered || len(first.Diagnostics) > 0 || len(first.Files) == 0 {
		t.Fatalf("the first compilation: remembered %t, %d findings, %d files", first.Remembered, len(first.Diagnostics), len(first.Files))
	}

	second := compile(t, m, project())
	if !second.Remembered || !reflect.DeepEqual(second.Files, first.Files) ||
		second.Package != first.Package || second.Output != first.Output {
		t.Errorf("the second compilation: remembered %t, another result", second.Remembered)
	}

	written := project()
	for _, file := range first.Files {
		written["agents/"+file.Name] = &fstest.MapFile{Data: file.Content}
	}
	if !compile(t, m, written).Remembered {
		t.Error("the generated files beside the sources are taken for a change")
	}
	if compile(t, memo.New(folder, "another"), project()).Remembered {
		t.Error("another compiler's result was used")
	}
	var none *memo.Memo
	if compile(t, none, project()).Remembered {
		t.Error("the nil memo remembers")
	}
}

// TestSameMistakes: what a memo compiles has the mistakes that it has without one, those of sizes
// too.
func TestSameMistakes(t *testing.T) {
	large := project()
	large["skills/big/SKILL.md"] = &fstest.MapFile{Data: []byte("---\nname: big\ndescription: Big.\n---\n\nRead data.txt.\n")}
	large["skills/big/data.txt"] = &fstest.MapFile{Data: make([]byte, 2<<20)}
	with, without := compile(t, memo.New(t.TempDir(), "this"), large), compile(t, nil, large)
	if len(without.Diagnostics) == 0 || len(with.Diagnostics) != len(without.Diagnostics) || len(with.Files) > 0 {
		t.Errorf("%d mistakes with a memo, %d without", len(with.Diagnostics), len(without.Diagnostics))
	}
}

func TestForgetsWhatChanged(t *testing.T) {
	for name, change := range map[string]func(fstest.MapFS){
		"a prompt": func(p fstest.MapFS) {
			p["agents/write/AGENT.md"] = &fstest.MapFile{Data: []byte(clerk + "Be brief.\n")}
		},
		"a step": func(p fstest.MapFS) {
			p["agents/letter/refine.md"] = &fstest.MapFile{Data: []byte("Write it again, shorter.\n")}
		},
		"a step less": func(p fstest.MapFS) { delete(p, "agents/letter/refine.md") },
		"a step's own role": func(p fstest.MapFS) {
			p["agents/letter/refine.md"] = &fstest.MapFile{Data: []byte("---\nmodel: {role: writer}\n---\n\nWrite it again.\n")}
		},
		"another agent": func(p fstest.MapFS) {
			p["agents/send/AGENT.md"] = &fstest.MapFile{Data: []byte("---\nname: send\ndescription: Sends.\nversion: 1\npattern: oneshot\n---\nSend.\n")}
		},
		"a config": func(p fstest.MapFS) { p["agentc.yaml"] = &fstest.MapFile{Data: []byte("package: letters\n")} },
		"a stray":  func(p fstest.MapFS) { p["agents/other/agent.md"] = &fstest.MapFile{Data: []byte(clerk)} },
		"an agent less": func(p fstest.MapFS) {
			delete(p, "agents/write/AGENT.md")
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := memo.New(t.TempDir(), "this")
			compile(t, m, project())
			changed := project()
			change(changed)
			got, want := compile(t, m, changed), compile(t, nil, changed)
			if got.Remembered {
				t.Error("the old result was used")
			}
			if !reflect.DeepEqual(got.Files, want.Files) || got.Package != want.Package || len(got.Diagnostics) != len(want.Diagnostics) {
				t.Error("the result is not that of compiling")
			}
			if again := compile(t, m, changed); again.Remembered != (len(want.Diagnostics) == 0) {
				t.Errorf("with %d findings, compiled again: remembered %t", len(want.Diagnostics), again.Remembered)
			}
		})
	}
}

// TestSameAsCompiling edits a project at random and compiles it with and without the memo.
func TestSameAsCompiling(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	m := memo.New(t.TempDir(), "this")
	p := project()
	remembered := 0
	for step := range 200 {
		names := slices.Sorted(maps.Keys(p))
		name := names[random.IntN(len(names))]
		switch random.IntN(4) {
		case 0: // as it was at first
			p = project()
		case 1: // a byte of a source becomes another one
			data := slices.Clone(p[name].Data)
			data[random.IntN(len(data))] = byte(' ' + random.IntN(95))
			p[name] = &fstest.MapFile{Data: data}
		case 2:
			p["agents/note.md"] = &fstest.MapFile{Data: []byte("a note")}
		}

		got, want := compile(t, m, p), compile(t, nil, p)
		if got.Remembered {
			remembered++
		}
		if !reflect.DeepEqual(got.Files, want.Files) || got.Output != want.Output || len(got.Diagnostics) != len(want.Diagnostics) {
			t.Fatalf("step %d: remembered %t, and not what compiling gives", step, got.Remembered)
		}
	}
	if remembered < 20 {
		t.Errorf("only %d of 200 were remembered", remembered)
	}
}

func TestDamageIsNoEntry(t *testing.T) {
	folder := t.TempDir()
	m := memo.New(folder, "this")
	want := compile(t, m, project())
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%d entries: %v", len(entries), err)
	}
	file := filepath.Join(folder, entries[0].Name())
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}

	for at := 0; at < len(whole); at += max(len(whole)/50, 1) {
		flipped := slices.Clone(whole)
		flipped[at] ^= 1
		for _, damaged := range [][]byte{flipped, whole[:at]} {
			if err := os.WriteFile(file, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			got := compile(t, m, project())
			if got.Remembered || !reflect.DeepEqual(got.Files, want.Files) {
				t.Fatalf("damaged at byte %d: remembered %t", at, got.Remembered)
			}
		}
	}
}

func TestKeepsSomeEntries(t *testing.T) {
	folder := t.TempDir()
	m := memo.New(folder, "this")
	for i := range 70 {
		dir := filepath.Join("/projects", string(rune('a'+i)))
		if _, _, err := m.Compile(context.Background(), dir, gen.Options{FS: project()}); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 64 {
		t.Errorf("%d entries are kept: %v", len(entries), err)
	}
}

func TestCompiler(t *testing.T) {
	one, err := memo.CompilerID()
	if err != nil || len(one) < 20 {
		t.Fatalf("this executable is %q: %v", one, err)
	}
	if again, err := memo.CompilerID(); err != nil || again != one {
		t.Errorf("then it is %q: %v", again, err)
	}
}
