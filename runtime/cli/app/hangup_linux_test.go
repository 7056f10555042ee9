package app

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/testing/ptytest"
)

// askers is a program whose agents ask as a human agent, a step of a workflow and a tool that needs a confirmation do.
type askers struct{}

func (askers) Program() *compiled.Program {
	done := func(answer string, err error) (runtime.Finish, error) {
		return runtime.Finish{Key: "done", Value: answer}, err
	}
	yes := &rt.OutputSpec{Schema: `{"const":"yes"}`, Check: func(raw json.RawMessage) error {
		if string(raw) != `"yes"` {
			return fmt.Errorf("found %s, expected yes", raw)
		}

		return nil
	}}
	ways := map[string]func(fx runtime.Effects) (string, error){
		"human": func(fx runtime.Effects) (string, error) {
			answer, err := rt.Flow("human").Ask(fx, runtime.Finish{Key: "desk", Value: "May I?"})

			return answer.Value, err
		},
		"hitl": func(fx runtime.Effects) (string, error) {
			r := workflow.Start(fx, "hitl")
			answer, err := r.Ask("hitl", "May I?", yes)
			if err != nil {
				_, err = r.Finish(workflow.Value{}, err)
			}

			return answer.String(), err
		},
		"confirm": func(fx runtime.Effects) (string, error) {
			answer, err := fx.Ask(runtime.Question{ID: "confirm", Prompt: "May I?", Choices: []string{"yes", "no"}})

			return answer.Value, err
		},
	}
	p := &compiled.Program{Name: "askers", Entry: "human", Shape: "s1", Text: "t1"}
	for _, name := range []string{"human", "hitl", "confirm"} {
		p.Agents = append(p.Agents, compiled.Agent{Name: name, Pattern: "human", Run: func(fx runtime.Effects, _ string) (runtime.Finish, error) {
			return done(ways[name](fx))
		}})
	}

	return p
}

// TestAskersProcess is the process that TestClosedTerminals starts.
func TestAskersProcess(*testing.T) {
	if args := os.Getenv("ASKERS_ARGS"); args != "" {
		os.Exit(Options{}.Run(askers{}, strings.Fields(args), os.Stdin, os.Stdout, os.Stderr))
	}
}

// TestClosedTerminals closes the terminal of 20 runs that ask there: each is paused, with the question open, and is answered later.
func TestClosedTerminals(t *testing.T) {
	t.Chdir(t.TempDir())
	// Under nohup the signal is ignored, and so it would be in what is started here; one that is caught is not.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	defer signal.Stop(caught)
	agents := []string{"human", "hitl", "confirm"}
	ways := []string{"exec %s", "trap '' HUP; exec %s", "%s; true"} // the process is told, is not told, and is told with its shell
	const runs = 20
	for i := range runs {
		agent := agents[i%len(agents)]
		person, program := ptytest.Open(t)
		cmd := exec.Command("sh", "-c", fmt.Sprintf(ways[i/len(agents)%len(ways)], os.Args[0]+" -test.run=^TestAskersProcess$"))
		cmd.Env = append(os.Environ(), "TERM=dumb", "ASKERS_ARGS=run --agent "+agent+" x")
		cmd.Stdin, cmd.Stdout, cmd.Stderr = program, program, program
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		_ = program.Close()
		shown := ""
		for buffer := make([]byte, 1024); !strings.HasSuffix(shown, agent+"> "); {
			n, err := person.Read(buffer)
			if shown += string(buffer[:n]); err != nil {
				t.Fatalf("%v, after %q", err, shown)
			}
		}
		_ = person.Close()
		err := cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != cli.Paused && code != -1 {
			t.Errorf("run %d: exit code %d, %v", i, code, err) // -1 is that of a shell that the signal has ended
		}
	}

	at := func(args ...string) (code int, stdout string) {
		var out strings.Builder
		code = Options{}.Run(askers{}, args, strings.NewReader(""), &out, &out)

		return code, out.String()
	}
	paused := func() (all []client.Run) {
		_, stdout := at("runs", "--json", "--status", "paused")
		for _, line := range strings.Split(strings.TrimSpace(stdout), "\n") {
			var run client.Run
			if json.Unmarshal([]byte(line), &run) == nil {
				all = append(all, run)
			}
		}

		return all
	}
	for range 500 { // processes whose shell has ended may still be at work
		if len(paused()) == runs {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if _, stdout := at("runs"); len(paused()) != runs {
		t.Fatalf("%d of %d runs are paused:\n%s", len(paused()), runs, stdout)
	}
	for _, run := range paused() {
		if len(run.Questions) != 1 {
			t.Errorf("the run waits for %+v", run.Questions)
			continue
		}
		if code, out := at("answer", run.ID, run.Questions[0].ID, "yes"); code != cli.Done || out != "yes\n" {
			t.Errorf("the answer: exit code %d, %q", code, out)
		}
	}
}
