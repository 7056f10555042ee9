package verify_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/emit"
	"github.com/agentc-dev/agentc/gen/names"
	"github.com/agentc-dev/agentc/gen/verify"
)

// TestDamageOfSignals changes how the walk of a machine hears of signals; each change is found. A machine without rules that asks
// for signals is found, too.
func TestDamageOfSignals(t *testing.T) {
	p := load(t, filepath.Join("..", "emit", "testdata", "golden", "signals.txtar"))
	files, err := emit.Files(p, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	changes := map[string][][2]string{
		"desk": {
			{`walk.Stopped()`, `walk.Failed()`},
			{`walk.Listen(`, `_ = append([]runtime.SignalRule(nil), `},
			{`runtime.SignalRule{On: "stop", Do: runtime.AnswerGracefulStop},`, ``},
			{`runtime.SignalRule{On: "stop"`, `runtime.SignalRule{On: "user-message"`},
			{`runtime.SignalRule{On: "stop", Do: runtime.AnswerGracefulStop`, `runtime.SignalRule{On: "stop", Do: runtime.AnswerForceStop`},
			{`In: []string{"work"}, Do: runtime.AnswerContinue`, `Do: runtime.AnswerContinue`},
			{`runtime.AnswerContinue, Priority: 5}`, `runtime.AnswerContinue, Priority: 6}`},
			{`runtime.AnswerFire, Key: "abort"}`, `runtime.AnswerFire, Key: "bad"}`},
		},
		"part": {
			{`return []runtime.SignalRule{`, `return []runtime.SignalRule{{},`},
			{`) Signals() []runtime.SignalRule`, `) Signal() []runtime.SignalRule`},
		},
		"work": {{`walk.Failed()`, `walk.Stopped()`}, {"50, input)\n", "50, input)\n\twalk.Listen()\n"}},
	}
	tried := 0
	for _, f := range files {
		a := agentOf(p, f.Name)
		if a == nil || f.Name != names.File(a.Name.Value) {
			continue
		}
		for _, change := range changes[a.Name.Value] {
			tried++
			changed := f
			changed.Content = []byte(strings.Replace(string(f.Content), change[0], change[1], 1))
			if string(changed.Content) == string(f.Content) {
				t.Errorf("%s has no %s", f.Name, change[0])
			}
			if err := verify.Agent(a, map[string]*emit.File{f.Name: &changed}); !isMismatch(err, a, f.Name) {
				t.Errorf("%s instead of %s is not found: %v", change[1], change[0], err)
			}
		}
	}
	if tried != len(changes["desk"])+len(changes["part"])+len(changes["work"]) {
		t.Errorf("%d changes were tried", tried)
	}
}
