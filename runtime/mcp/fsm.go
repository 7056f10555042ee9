package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/stores/board"
)

// transitionInput are the arguments of fsm_transition.
type transitionInput struct {
	FSM      string `json:"fsm_id" jsonschema:"the machine, MACHINE or MACHINE/INSTANCE; it begins with its first step"`
	NewState string `json:"new_state,omitempty" jsonschema:"the state to go to: the first row that leads there is taken"`
	Key      string `json:"key,omitempty" jsonschema:"the key to fire, instead of new_state; fsm_state tells which are valid"`
	Agent    string `json:"agent_id" jsonschema:"who you are; with a credential it must be the credential's name"`
	Metadata string `json:"metadata_json,omitempty" jsonschema:"JSON that is kept with the step"`
	Value    string `json:"value,omitempty" jsonschema:"what guards see as value, and as data if it is JSON"`
	Seq      uint64 `json:"expected_seq,omitempty" jsonschema:"the step is made only if the machine has this sequence number"`
}

func (in transitionInput) checkInput() error {
	switch {
	case in.NewState == "" && in.Key == "":
		return newArgumentError("new_state", "is required, or key")
	case in.NewState != "" && in.Key != "":
		return newArgumentError("key", "and new_state are given: a step is asked for by one of them")
	}
	if in.Metadata != "" && !json.Valid([]byte(in.Metadata)) {
		return newArgumentError("metadata_json", "must be valid JSON")
	}

	return nil
}

// transitionReply is a step that was made.
type transitionReply struct {
	FSM        string   `json:"fsmId" jsonschema:"the machine, as its program spells it"`
	Transition madeStep `json:"transition" jsonschema:"the step"`
	// BlackboardWritten is true: the state and the history on the blackboard change with the step.
	BlackboardWritten bool        `json:"blackboardWritten" jsonschema:"whether fsm:ID:state and fsm:ID:history show the step"`
	Key               string      `json:"key" jsonschema:"the key of the row that was taken"`
	Seq               uint64      `json:"seq" jsonschema:"the machine's sequence number; it counts steps and begins with 1"`
	Exit              []string    `json:"exit,omitempty" jsonschema:"what has to be done because the state was left"`
	Enter             []string    `json:"enter,omitempty" jsonschema:"what has to be done because the state was entered"`
	Timers            []timerStep `json:"timers,omitempty" jsonschema:"steps of timers that were due before it"`
	Head              board.Head  `json:"head" jsonschema:"the end of the record with this step; by it a cut is found"`
}

// madeStep is where a step led. To is null if it ended the machine.
type madeStep struct {
	From string  `json:"from"`
	To   *string `json:"to"`
}

// timerStep is a step that a timer made.
type timerStep struct {
	madeStep
	Key   string   `json:"key"`
	Seq   uint64   `json:"seq"`
	Exit  []string `json:"exit,omitempty"`
	Enter []string `json:"enter,omitempty"`
}

// machineInput are the arguments of the tools that look at one machine.
type machineInput struct {
	FSM string `json:"fsm_id" jsonschema:"the machine, MACHINE or MACHINE/INSTANCE"`
	claimant
}

// machineState is where a machine is. State is null when it has ended.
type machineState struct {
	FSM      string      `json:"fsmId" jsonschema:"the machine, as its program spells it"`
	State    *string     `json:"state" jsonschema:"the state in which the machine is; null when it has ended"`
	Seq      uint64      `json:"seq" jsonschema:"the machine's sequence number; it counts steps and begins with 1"`
	Valid    []string    `json:"valid" jsonschema:"the keys that have a row in the state"`
	Begun    bool        `json:"begun" jsonschema:"false for a machine that has made no step: this is how it would begin"`
	Since    time.Time   `json:"since,omitzero" jsonschema:"when it came there"`
	Deadline time.Time   `json:"deadline,omitzero" jsonschema:"when the timer of the state fires"`
	Timers   []timerStep `json:"timers,omitempty" jsonschema:"steps of timers that were due, and were made just now"`
	Pending  int         `json:"pending,omitempty" jsonschema:"how many steps have names to act on and are not acknowledged: fsm_pending lists them"`
}

// pendingInput are the arguments of fsm_pending.
type pendingInput struct {
	FSM string `json:"fsm_id,omitempty" jsonschema:"the machine; without it all machines"`
	claimant
}

// pendingReply are the steps whose names are to be acted on.
type pendingReply struct {
	Pending []board.Change `json:"pending" jsonschema:"steps with names in exit or enter, in order; entry is what fsm_ack takes"`
}

// ackInput are the arguments of fsm_ack.
type ackInput struct {
	FSM     string   `json:"fsm_id" jsonschema:"the machine"`
	Entries []uint64 `json:"entries" jsonschema:"the entries of the steps, as fsm_pending has them"`
	claimant
}

// ackReply are the steps that were acknowledged.
type ackReply struct {
	Acknowledged []uint64   `json:"acknowledged" jsonschema:"those of the entries that were pending"`
	Head         board.Head `json:"head" jsonschema:"the end of the record"`
}

// historyReply are the steps of a machine.
type historyReply struct {
	FSM     string         `json:"fsmId" jsonschema:"the machine"`
	History []board.Change `json:"history" jsonschema:"its steps, in order"`
}

// snapshotReply is the snapshot of a machine.
type snapshotReply struct {
	FSM      string          `json:"fsmId" jsonschema:"the machine"`
	Snapshot json.RawMessage `json:"snapshot" jsonschema:"the machine as JSON, from which one of its kind can be restored"`
}

func (s *Server) addMachines() {
	b := s.options.Board
	addTool(s, tool{name: "fsm_transition", needs: need(access.Fire), description: "Make a step of a live machine, asked for by key or by new_state. Only " +
		"rows of the machine's table whose guards hold are taken; what is refused changes nothing and returns the reason, with the keys " +
		"that are valid. Of two competing steps with the same expected_seq one is made. Every attempt is recorded. " +
		s.machineNames()}, s.fireTransition)
	addTool(s, tool{name: "fsm_state", reads: true, needs: look, description: "Where a machine is: its state, its sequence number, and the " +
		"keys that are valid there. " + s.machineNames()},
		func(ctx context.Context, _ call, in machineInput) (machineState, error) {
			at, err := b.State(ctx, in.FSM)
			return stateOf(at), err
		})
	addTool(s, tool{name: "fsm_history", reads: true, needs: look, description: "The steps of a machine since it began: from, to, key, " +
		"who asked, when, and the metadata that came with each."},
		func(ctx context.Context, _ call, in machineInput) (historyReply, error) {
			at, err := b.State(ctx, in.FSM)
			if err != nil {
				return historyReply{}, err
			}
			steps, err := b.History(ctx, in.FSM)
			return historyReply{FSM: at.ID, History: append([]board.Change{}, steps...)}, err
		})
	addTool(s, tool{name: "fsm_pending", reads: true, needs: look, description: "What has to be done because machines were moved, by callers and by timers: " +
		"steps with names in exit or enter that are not acknowledged. Act on the names, then call fsm_ack."},
		func(ctx context.Context, c call, in pendingInput) (pendingReply, error) {
			steps, err := b.Pending(ctx, in.FSM)
			steps = slices.DeleteFunc(steps, func(step board.Change) bool { return !c.canSee(machineOf(step.ID)) })
			return pendingReply{Pending: append([]board.Change{}, steps...)}, err
		})
	addTool(s, tool{name: "fsm_ack", needs: need(access.Fire), description: "Report that what steps of a machine asked for is done. It can be repeated."},
		func(ctx context.Context, c call, in ackInput) (ackReply, error) {
			done, head, err := b.Acknowledge(ctx, in.FSM, in.Entries, in.Agent, c.identity())
			return ackReply{Acknowledged: append([]uint64{}, done...), Head: head}, err
		})
	addTool(s, tool{name: "fsm_snapshot", reads: true, needs: look, description: "A machine as JSON, from which a program restores one of its kind."},
		func(ctx context.Context, _ call, in machineInput) (snapshotReply, error) {
			at, err := b.State(ctx, in.FSM)
			if err != nil {
				return snapshotReply{}, err
			}
			snapshot, err := b.Snapshot(ctx, in.FSM)
			return snapshotReply{FSM: at.ID, Snapshot: snapshot}, err
		})
}

func (s *Server) fireTransition(ctx context.Context, c call, in transitionInput) (transitionReply, error) {
	r := board.Request{
		ID: in.FSM, Identity: c.identity(),
		Attempt: drive.Attempt{Key: in.Key, To: in.NewState, Value: in.Value, Agent: in.Agent, Seq: in.Seq},
	}
	if in.Metadata != "" {
		r.Metadata = json.RawMessage(in.Metadata)
	}
	made, err := s.options.Board.Transition(ctx, r)
	if err != nil {
		return transitionReply{}, refusedError(err, made)
	}

	return transitionReply{
		FSM: made.ID, BlackboardWritten: made.BlackboardWritten, Head: made.Head,
		Transition: madeStepOf(made.Step), Key: made.Step.Key, Seq: made.Step.Seq, Exit: made.Step.Exit, Enter: made.Step.Enter,
		Timers: timerSteps(made.Timers),
	}, nil
}

func timerSteps(steps []drive.Step) []timerStep {
	var timers []timerStep
	for _, step := range steps {
		timers = append(timers, timerStep{madeStep: madeStepOf(step), Key: step.Key, Seq: step.Seq, Exit: step.Exit, Enter: step.Enter})
	}

	return timers
}

func madeStepOf(step drive.Step) madeStep { return madeStep{From: step.From, To: orNull(step.To)} }

// orNull is null for the state of a machine that has ended.
func orNull(state string) *string {
	if state == "" {
		return nil
	}

	return &state
}

func stateOf(at board.MachineState) machineState {
	return machineState{
		FSM: at.ID, State: orNull(at.State), Seq: at.Seq, Valid: append([]string{}, at.Valid...), Begun: at.Begun,
		Since: at.Since, Deadline: at.Deadline, Timers: timerSteps(at.Timers), Pending: at.Pending,
	}
}
