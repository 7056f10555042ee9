package verify

import (
	"path"
	"strconv"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// partsOf returns the parts of the program as they are written.
func partsOf(p *ir.Program) []string {
	var parts []string
	for _, word := range p.Include {
		if part, known := names.PartOf(word.Value); known {
			parts = append(parts, path.Base(part.Path)+".Part{}")
		}
	}

	return parts
}

// machineInfos returns what makes the live machines as it is written.
func machineInfos(p *ir.Program) []string {
	var infos []string
	routed := ""
	if signalled(p) != "" {
		routed = ", a.Routed()"
	}
	for _, a := range p.Agents {
		if m := a.MachineOf(); m != nil && (a.Driven() || names.Drives(p.Include)) {
			name, guards := a.Name.Value, ""
			if askedOf(m).named {
				guards = "a.guards, "
			}
			infos = append(infos, "{Name: "+strconv.Quote(name)+", New: func(clock runtime.Clock) runtime.DrivenMachine { return "+
				names.NewLive(name)+"("+guards+"live.Clock(clock)"+routed+") }}")
		}
	}

	return infos
}
