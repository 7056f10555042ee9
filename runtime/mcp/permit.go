package mcp

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime/servers/access"
)

// need is what a tool needs of its caller: one of those below, or a right.
type need string

const (
	// anyCaller is the need of a tool whose reply has only what the caller may see.
	anyCaller need = "any caller"
	// ofRun is the need of a tool on a run: package serve knows whose run it is.
	ofRun need = "a right to the run"
	// look is the need of a tool that shows machines or the blackboard: to read, or to change them.
	look need = "read or fire"
)

// checkPermission returns an error if the caller may not call a tool for a target.
func (c call) checkPermission(needs need, t access.Target) error {
	switch needs {
	case anyCaller, ofRun:
		_, err := c.who.Grant() // the token is still one
		return err
	case look:
		if c.who.Check(access.Fire, t) == nil {
			return nil
		}
		return c.who.Check(access.Read, t)
	}

	return c.who.Check(access.Right(needs), t)
}

// canSee reports whether the caller may look at a machine; "" is no machine.
func (c call) canSee(machine string) bool {
	return c.checkPermission(look, access.Target{Machine: machine}) == nil
}

// aiming are arguments that name what the right of the tool is needed for.
type aiming interface{ target() access.Target }

// targetOf returns what the arguments of a tool name.
func targetOf(in any) access.Target {
	if in, ok := in.(aiming); ok {
		return in.target()
	}

	return access.Target{}
}

// machineOf returns the machine of an id MACHINE or MACHINE/INSTANCE.
func machineOf(id string) string {
	machine, _, _ := strings.Cut(id, "/")

	return machine
}

// machineOfKey returns the machine of a key of the blackboard, such as fsm:MACHINE:state; "" for a key of clients.
func machineOfKey(key string) string {
	id, isOfMachine := strings.CutPrefix(key, "fsm:")
	if !isOfMachine {
		return ""
	}
	machine, _, _ := strings.Cut(id, ":")

	return machineOf(machine)
}

func (in transitionInput) target() access.Target { return access.Target{Machine: machineOf(in.FSM)} }

func (in machineInput) target() access.Target { return access.Target{Machine: machineOf(in.FSM)} }

func (in pendingInput) target() access.Target { return access.Target{Machine: machineOf(in.FSM)} }

func (in ackInput) target() access.Target { return access.Target{Machine: machineOf(in.FSM)} }

func (in keyInput) target() access.Target { return access.Target{Machine: machineOfKey(in.Key)} }
