package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// toolsPath is where the built-in tools are, a package for each kind, so that a binary carries those that its project turns on.
const toolsPath = runtimePath + "/tools"

// turnedOn returns what opens the built-in tools that the project has turned on; nil if all of them are off.
func turnedOn(reach ir.Reach) *jen.Statement {
	var kinds []jen.Code
	kind := func(on bool, name string, settings ...any) {
		if on {
			kinds = append(kinds, jen.Qual(toolsPath+"/"+name, "Tools").Add(fieldsOf(settings...).line()))
		}
	}
	kind(reach.Root.Value != "", "files", "Root", reach.Root, "MaxSize", reach.RootMax)
	kind(len(reach.Hosts) > 0, "web", "Allow", reach.Hosts, "MaxSize", reach.HostsMax)
	kind(reach.Shell, "shell", "Dir", reach.Root)

	return wanted(kinds != nil, jen.Qual(toolsPath, "On").Call(kinds...))
}
