package enginetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

// questions: in a branch the id of a question ends in @ and the branch's number; an answer is one
// of the choices.
func questions(t T, make Make) {
	var mu sync.Mutex
	var asked []string
	observed := &log{}
	s := Setup{Observer: observed, Ask: func(_ context.Context, q runtime.Question) (runtime.Answer, error) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, q.ID)

		return runtime.Answer{Value: " YES"}, nil
	}}
	mustRunBody(t, make, s, func(fx runtime.Effects) error {
		answer, err := fx.Ask(question)
		check(t, err == nil && answer.Value == "yes", "got %+v, %v", answer, err)

		return fx.Parallel(2, 0, func(_ int, fx runtime.Effects) error {
			_, err := fx.Ask(question)

			return err
		})
	})
	slices.Sort(asked)
	want := []string{"approve", "approve@0", "approve@1"}
	check(t, slices.Equal(asked, want), "asked %q, want %q", asked, want)
	check(t, len(observed.eventsOf(event.Answer)) == 3, "answers: %+v", observed.eventsOf(event.Answer))
}

// pause: where a person cannot be asked the run pauses, and reports for which question.
func pause(t T, make Make) {
	observed := &log{}
	err := runBody(make, Setup{Observer: observed}, func(fx runtime.Effects) error {
		_, err := fx.Ask(question)

		return err
	})
	var paused *runtime.PausedError
	check(t, errors.As(err, &paused) && paused.Question.ID == "approve", "the run: %v", err)
	pauses := observed.eventsOf(event.Pause)
	check(t, len(pauses) == 1 && pauses[0].Name == "approve", "pauses: %+v", pauses)
	ends := observed.eventsOf(event.End)
	check(t, len(ends) == 1 && ends[0].Status == "paused", "ends: %+v", ends)
	check(t, len(observed.eventsOf(event.Error)) == 0, "a pause is reported as an error")
}

// memory: one run's branches share it, and two runs do not.
func memory(t T, make Make) {
	engine := make(Setup{Script: "{}", Model: modelOf("{}")})
	use := func(run int) error {
		return runBody(func(Setup) compiled.Engine { return engine }, Setup{}, func(fx runtime.Effects) error {
			got, err := fx.Tool(memoryCall("mem_get", `{"key":"list"}`))
			check(t, err == nil && got.Problem == "" && !got.JSON, "run %d begins with %+v, %v", run, got, err)
			err = fx.Parallel(50, 0, func(i int, fx runtime.Effects) error {
				_, err := fx.Tool(memoryCall("mem_append", fmt.Sprintf(`{"key":"list","item":%d}`, i)))

				return err
			})
			if err != nil {
				return err
			}
			got, err = fx.Tool(memoryCall("mem_append", `{"key":"list","item":"text"}`))
			check(t, err == nil && got.Problem == "", "append: %+v, %v", got, err)
			_, err = fx.Tool(memoryCall("mem_set", `{"key":"text","value":"t"}`))
			check(t, err == nil, "set: %v", err)
			got, err = fx.Tool(memoryCall("mem_append", `{"key":"text","item":"x"}`))
			check(t, err == nil && got.Problem != "", "append to text: %+v, %v", got, err)
			got, err = fx.Tool(memoryCall("mem_get", `{"key":"text"}`))
			check(t, err == nil && got == runtime.ToolResult{Text: "t"}, "get: %+v, %v", got, err)

			return err
		})
	}
	for run := range 2 {
		err := use(run)
		check(t, err == nil, "run %d: %v", run, err)
	}
}

// unknownAgents: an agent that is not there is an error that names those that are; no name is the
// entry point.
func unknownAgents(t T, make Make) {
	s := Setup{Script: "{}", Model: modelOf("{}")}
	p := newProgram(func(runtime.Effects) error { return nil })
	_, err := make(s).Run(context.Background(), p, "mian", "input")
	var unknown *compiled.UnknownAgentError
	check(t, errors.As(err, &unknown) && unknown.Agent == "mian" && slices.Equal(unknown.Agents, []string{"main"}), "got %v", err)
	fin, err := make(s).Run(context.Background(), p, "", "input")
	check(t, err == nil && fin == runtime.Finish{Key: "done", Value: "input"}, "the entry point: %+v, %v", fin, err)
}
