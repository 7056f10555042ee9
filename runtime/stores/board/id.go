package board

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

// target is the machine that an id names.
type target struct {
	// id is spelled with the machine's own name.
	id   string
	info compiled.Machine
}

// findMachine returns the machine of an id. Errors: that of unknownMachine.
func (b *Board) findMachine(id string) (target, error) {
	name, instance, many := strings.Cut(id, "/")
	info, known := b.machines[foldMachineName(name)]
	if !known {
		return target{}, unknownMachine(id, b.names)
	}
	if many {
		return target{info.Name + "/" + instance, info}, nil
	}

	return target{info.Name, info}, nil
}

// foldMachineName makes - and _ the same.
func foldMachineName(machine string) string { return strings.ReplaceAll(machine, "_", "-") }

// What a request may have at most, in bytes.
const (
	maxInstance = 200
	maxKey      = 512
	maxValue    = 1 << 20
)

// checkID returns an error unless id is such as an id can be.
func checkID(id string) error {
	name, instance, many := strings.Cut(id, "/")
	if err := checkText("id", name, maxKey); err != nil {
		return err
	}
	if name == "" || many && instance == "" {
		return invalidFieldError(fmt.Sprintf("id %q", id), "is not of the form MACHINE or MACHINE/INSTANCE")
	}

	return checkText("the instance of the id", instance, maxInstance)
}
