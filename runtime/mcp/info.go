package mcp

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/stores/board"
)

// infoReply is what the server is and where all machines are.
type infoReply struct {
	Program  string `json:"program"`
	Shape    string `json:"shape" jsonschema:"a hash over states, rows and tool schemas"`
	Text     string `json:"text" jsonschema:"a hash over prompts and descriptions"`
	Identity string `json:"identity,omitempty" jsonschema:"whom your credential names"`
	// Machines are those that have begun, and how one of each kind would begin without an instance.
	Machines   []machineState `json:"machines" jsonschema:"where every machine is"`
	Agents     []string       `json:"agents" jsonschema:"the agents that can be called as agent_NAME"`
	Blackboard boardInfo      `json:"blackboard"`
	Head       board.Head     `json:"head" jsonschema:"the end of the record"`
	Time       time.Time      `json:"ts"`
}

// boardInfo is what the blackboard has.
type boardInfo struct {
	Available bool `json:"available"`
	Keys      int  `json:"keys"`
}

func (s *Server) addInfo() {
	addTool(s, tool{name: "orchestrator_info", reads: true, needs: anyCaller, description: "What is here: every machine with its state, sequence " +
		"number and valid keys, the agents that can be called, and how many keys the blackboard has."}, s.readInfo)
}

func (s *Server) readInfo(ctx context.Context, c call, _ claimant) (infoReply, error) {
	p := s.options.Program
	reply := infoReply{
		Program: p.Name, Shape: p.Shape, Text: p.TextHash(), Identity: c.identity(), Time: time.Now(),
		Machines: []machineState{}, Agents: []string{},
	}
	may, err := c.who.Grant()
	if err != nil {
		return infoReply{}, err
	}
	for _, a := range s.runnableAgents() {
		if may.HasAgent(a.Name) {
			reply.Agents = append(reply.Agents, a.Name)
		}
	}
	b := s.options.Board
	if b == nil {
		return reply, nil
	}
	states, err := b.Machines(ctx)
	if err != nil {
		return infoReply{}, err
	}
	for _, at := range states {
		if !c.canSee(machineOf(at.ID)) {
			continue
		}
		reply.Machines = append(reply.Machines, stateOf(at))
	}
	keys, err := b.List(ctx, "")
	keys = slices.DeleteFunc(keys, func(key board.Value) bool { return !c.canSee(machineOfKey(key.Key)) })
	reply.Blackboard = boardInfo{Available: true, Keys: len(keys)}
	reply.Head = b.Head()

	return reply, err
}

// runnableAgents returns the agents that are tools.
func (s *Server) runnableAgents() []*compiled.Agent {
	var agents []*compiled.Agent
	for i := range s.options.Program.Agents {
		a := &s.options.Program.Agents[i]
		if s.options.Runs != nil && a.Run != nil && (s.options.Agent == "" || a.Name == s.options.Agent) {
			agents = append(agents, a)
		}
	}

	return agents
}

// machineNames names for a model which machines there are.
func (s *Server) machineNames() string {
	var names []string
	for _, m := range s.options.Program.Machines {
		names = append(names, m.Name)
	}
	if len(names) == 0 {
		return "The program has no machine."
	}

	return "Machines: " + strings.Join(names, ", ") + "."
}

// writeInstructions explains to a model how to use the tools together.
func writeInstructions(o Options) string {
	text := "orchestrator_info describes what is here."
	if o.Board != nil && len(o.Program.Machines) > 0 {
		text += " fsm_state returns where a machine is and which keys are valid; fsm_transition makes a step. A reply with ok false " +
			"has changed nothing, and its error names what to do instead."
	}

	return text
}
