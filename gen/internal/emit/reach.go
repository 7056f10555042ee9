package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// toolsPath is where the built-in tools are, a package for each kind, so that a binary carries those that its project turns on.
const toolsPath = runtimePath + "/tools"

// turnedOn returns what opens the built-in tools that the project has turned on; nil if all of them are off.
func turnedOn(reach ir.Reach) jen.Code {
	kind := func(name string, maxSize int64, field jen.Code) jen.Code {
		l := &fields{lines: []jen.Code{field}}
		l.bytes("MaxSize", maxSize)

		return jen.Qual(toolsPath+"/"+name, "Tools").Values(l.lines...)
	}
	var kinds []jen.Code
	if reach.Root.Value != "" {
		kinds = append(kinds, kind("files", reach.RootMax, jen.Id("Root").Op(":").Lit(reach.Root.Value)))
	}
	if len(reach.Hosts) > 0 {
		var hosts []jen.Code
		for _, host := range reach.Hosts {
			hosts = append(hosts, jen.Lit(host.Value))
		}
		kinds = append(kinds, kind("web", reach.HostsMax, jen.Id("Allow").Op(":").Index().String().Values(hosts...)))
	}
	if reach.Shell {
		kinds = append(kinds, kind("shell", 0, jen.Id("Dir").Op(":").Lit(reach.Root.Value)))
	}
	if kinds == nil {
		return nil
	}

	return jen.Qual(toolsPath, "On").Call(kinds...)
}
