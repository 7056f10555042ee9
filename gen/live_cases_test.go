package gen_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// TestLiveMachines compiles the projects of testdata/live, builds them together, and drives the machine of each as its file
// "steps" says. That has a line for each attempt: `KEY VALUE`, `as AGENT KEY VALUE`, or `to STATE`; `new` begins with another
// machine, and `restored` goes on with one that has read the snapshot of the one before. What the named guards of a machine say
// stands in its file guards.go, as type Answers.
func TestLiveMachines(t *testing.T) {
	cases := readCases(t, "testdata/live")
	packages := map[string]*gen.Result{}
	var calls strings.Builder
	for name, archive := range cases {
		pkg := "l" + strings.ReplaceAll(name, "-", "")
		result := compileCase(t, archive, "guards.go", "steps", "want")
		packages[pkg] = result
		answers := ""
		if code := textIn(archive, "guards.go"); code != "" {
			result.Files = append(result.Files, emit.File{Name: "guards.go", Content: []byte(code)})
			answers = pkg + ".Answers{}"
		}
		machine := pkg + "." + names.NewLive(result.Program.Agents[0].Name.Value)
		fmt.Fprintf(&calls, "\tplay(%q, func() drive.Machine { return %s(%s) }, %q)\n",
			name, machine, answers, textIn(archive, "steps"))
	}
	told := buildAndRun(t, packages, livePlayer, calls.String())

	for name, archive := range cases {
		t.Run(name, func(t *testing.T) {
			compareCase(t, filepath.Join("testdata/live", name+".txtar"), archive, "want", told[name])
		})
	}
}

// livePlayer is a program that drives machines and tells what became of each attempt.
const livePlayer = `package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"

%s)

func play(name string, begin func() drive.Machine, steps string) {
	fmt.Printf("-- %%s --\n", name)
	m := begin()
	for line := range strings.Lines(steps) {
		switch line = strings.TrimSpace(line); line {
		case "new":
			m = begin()
			fmt.Println(line)
		case "restored":
			m = restored(m, begin())
		default:
			try(m, line)
		}
	}
	fmt.Printf("at the end: %%q, seq %%d, %%q\n", m.Current(), m.Seq(), m.Valid())
}

func try(m drive.Machine, line string) {
	var a drive.Attempt
	if rest, named := strings.CutPrefix(line, "as "); named {
		a.Agent, line, _ = strings.Cut(rest, " ")
	}
	if to, wanted := strings.CutPrefix(line, "to "); wanted {
		a.To = to
	} else {
		a.Key, a.Value, _ = strings.Cut(line, " ")
	}
	from, seq := m.Current(), m.Seq()
	step, err := m.Try(a)
	if err != nil {
		fmt.Printf("%%s: %%v\n", runtime.ErrorType(err), err)
		if m.Current() != from || m.Seq() != seq {
			fmt.Printf("but now it is in %%q, seq %%d\n", m.Current(), m.Seq())
		}
		return
	}
	fmt.Printf("%%q --%%s--> %%q (%%s), seq %%d\n", step.From, step.Key, step.To, step.Matched, step.Seq)
	for _, guard := range step.Guards {
		fmt.Printf("    %%s: %%v %%q\n", guard.Name, guard.OK, guard.Reason)
	}
}

func restored(m, other drive.Machine) drive.Machine {
	snapshot, err := m.Snapshot()
	if err == nil {
		err = other.Restore(snapshot)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("restored", string(snapshot))
	return other
}

func main() {
%s}
`
