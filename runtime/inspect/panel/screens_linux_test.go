package panel

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/cli/progress"
	"github.com/agentc-dev/agentc/runtime/internal/testing/golden"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/testing/ptytest"
)

// theatre is a terminal on which a run is shown, with a person who looks at it.
type theatre struct {
	t       *testing.T
	person  *os.File
	program *os.File
	seen    *emulator
	lines   *progress.Progress
	shown   *screen
	now     time.Time
	marks   int
}

func newTheatre(t *testing.T, reflows bool) *theatre {
	person, program := ptytest.Open(t)
	th := &theatre{t: t, person: person, program: program, now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
	th.seen = newEmulator(80, 24, reflows)
	th.resize(80)
	go func() { _, _ = io.Copy(th.seen, person) }()
	c := &cli.Call{
		Env:     &cli.Env{Stderr: program, Getenv: func(name string) string { return map[string]string{"NO_COLOR": "1"}[name] }},
		Program: &cli.Program{Name: "report"},
	}
	if !c.Screen(program) {
		t.Fatal("nothing is drawn on this terminal")
	}
	th.shown = newScreen(c)
	th.lines = progress.New(c, th.shown)
	th.shown.now = func() time.Time { return th.now }
	th.shown.view.began = th.now

	return th
}

// resize makes the terminal another, as the person who owns the window does.
func (th *theatre) resize(columns int) {
	th.t.Helper()
	th.seen.resize(columns)
	ptytest.Resize(th.t, th.person, uint16(columns), 24)
}

// look waits until all that was written is on the screen.
func (th *theatre) look() string {
	th.t.Helper()
	if _, err := th.program.WriteString("\a"); err != nil {
		th.t.Fatal(err)
	}
	th.marks++
	th.seen.await(th.marks)
	for _, fault := range th.seen.faults {
		th.t.Errorf("the terminal was sent %s", fault)
	}

	return th.seen.screen()
}

// passes lets time pass.
func (th *theatre) passes(d time.Duration) {
	th.now = th.now.Add(d)
	th.shown.redraw()
}

// begins has an effect begin.
func (th *theatre) begins(path lane, who, what string) {
	th.shown.changeView(func(v *view, now time.Time) { v.beginEffect(path, who, what, now) })
}

func (th *theatre) ends(path lane) {
	th.shown.changeView(func(v *view, _ time.Time) { v.endEffect(path) })
}

// enters has a machine enter a state.
func (th *theatre) enters(machine, state string, visit int) {
	e := event.Event{Kind: event.Enter, Machine: machine, State: state, Visit: visit, Address: "1"}
	th.shown.changeView(func(v *view, _ time.Time) { v.enterState(e) })
	th.lines.Observe(e)
}

func (th *theatre) takes(machine, from, key, to string) {
	th.lines.Observe(event.Event{
		Kind: event.Transition, Machine: machine, State: from, Key: key, To: to, Matched: "exact", Address: "1",
	})
}

// replies has a model reply at an address, for a cent a thousand tokens.
func (th *theatre) replies(address string, tokens int) {
	th.lines.Observe(event.Event{
		Kind: event.Model, Address: address, Usage: model.Usage{Input: tokens}, Cost: int64(tokens) * 10,
	})
}

// TestScreens: what a person sees at three widths, whatever a terminal does to lines when its size changes. In between the terminal is
// resized twice for each screen, and what stands above the panel stays as it is.
func TestScreens(t *testing.T) {
	var screens [2]map[int]string
	for i, reflows := range []bool{true, false} {
		screens[i] = screensOf(t, reflows)
	}
	for columns, screen := range screens[0] {
		file := filepath.Join("testdata", "screens", strconv.Itoa(columns)+".txt")
		golden.Compare(t, file, screen)
	}
	// Only the lines above the panel, which are the terminal's by then, may differ between terminals.
	for columns, screen := range screens[1] {
		if a, b := panelsOf(screens[0][columns]), panelsOf(screen); a != b {
			t.Errorf("%d columns: a terminal that reflows shows\n%s\none that does not\n%s", columns, a, b)
		}
	}
}

// panelsOf is the screens from the panel on.
func panelsOf(screens string) string {
	var b strings.Builder
	for _, screen := range strings.Split(screens, "=== ") {
		_, panel, _ := strings.Cut(screen, "\n\n")
		b.WriteString(panel)
	}

	return b.String()
}

// screensOf plays a run and returns its screens, by columns.
func screensOf(t *testing.T, reflows bool) map[int]string {
	th := newTheatre(t, reflows)
	screens := map[int]string{}
	scene := func(title string) {
		t.Helper()
		for _, columns := range []int{200, 40, 80} {
			th.resize(columns)
			th.shown.redraw()
			screens[columns] += "=== " + title + "\n" + th.look()
		}
	}

	th.shown.atlas = newAtlas(&compiled.Program{Agents: []compiled.Agent{{Name: "report", Graph: reportGraph}}})
	th.lines.Observe(event.Event{Kind: event.Run, Agent: "report"})
	th.enters("report", "plan", 1)
	th.begins(nil, "plan", "model")
	th.passes(1200 * time.Millisecond)
	th.lines.Observe(event.Event{Kind: event.Delta, Address: "1", Text: "Three questions, one for each of the mar"})
	th.lines.Observe(event.Event{Kind: event.Delta, Address: "1", Text: "kets: 日本, Việt Nam, and\x1b[2J\u202e España 👩\u200d💻."})
	th.passes(time.Second)
	scene("a model writes")

	th.ends(nil)
	th.replies("1", 1240)
	th.takes("report", "plan", "done", "research")
	th.enters("report", "research", 1)
	th.begins(lane{0}, "look-up@0", "model")
	th.begins(lane{1}, "look-up@1", "tool search_web")
	th.begins(lane{2}, "look-up@2", "model")
	th.begins(lane{3}, "look-up@3", "model")
	th.passes(3 * time.Second)
	th.lines.Observe(event.Event{
		Kind: event.Delta, Address: "2.0.1",
		Text: "The market of 日本 has grown every year since 2019, says the ministry, and " + strings.Repeat("more so each year, ", 9) + "at last.",
	})
	th.lines.Observe(event.Event{
		Kind: event.Retry, Agent: "look-up", Address: "2.2.1", Count: 1, Wait: 8 * time.Second, Problem: "429: slow down",
	})
	th.lines.Observe(event.Event{
		Kind: event.Retry, Agent: "look-up", Address: "2.3.1", Count: 5, Name: "anthropic:claude", Problem: "529: overloaded",
	})
	th.passes(2 * time.Second)
	scene("four at work: one waits, one asks another model")

	for i := range 4 {
		th.ends(lane{i})
		th.replies("2."+strconv.Itoa(i)+".1", 4000)
	}
	th.takes("report", "research", "done", "write")
	th.enters("report", "write", 1)
	th.takes("report", "write", "done", "review")
	th.enters("report", "review", 1)
	th.takes("report", "review", "revise", "write")
	th.enters("report", "write", 2)
	th.enters("edit", "shorten", 1)
	th.lines.Observe(event.Event{Kind: event.Budget, Name: "10 calls", Text: "8 calls"})
	th.begins(nil, "shorten", "model")
	th.passes(65 * time.Second)
	scene("a machine in a machine, and a budget that ends soon")

	th.ends(nil)
	th.takes("report", "write", "done", "review")
	th.enters("report", "review", 2)
	spoken := th.lines.Hush()
	_, _ = io.WriteString(th.program, "May the report go out?\n(yes, no)\nreview> ")
	scene("a question")

	_, _ = io.WriteString(th.program, "yes\n")
	spoken()
	th.takes("report", "review", "yes", "done")
	th.lines.Close()
	scene("the end")

	return screens
}
