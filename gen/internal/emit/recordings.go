package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// recordingsDraft is the file of the recordings, which are longer than all the rest; nil without any.
func recordingsDraft(p *ir.Program) *draft {
	if len(p.Recordings) == 0 {
		return nil
	}
	files := []*source.File{nil}
	for _, r := range p.Recordings {
		files = append(files, r.File)
	}

	return &draft{
		name: names.RecordingsFile, source: "recordings", sourceHash: sourceHash(files...),
		fill: func(f *jen.File) {
			for _, r := range p.Recordings {
				f.Add(comment(names.Recording(r.Path) + " is " + r.Path + "."))
				f.Const().Id(names.Recording(r.Path)).Op("=").Add(code(string(r.File.Bytes)))
				f.Line()
			}
		},
	}
}

func recordingInfos(recordings []*ir.Recording) []jen.Code {
	var infos []jen.Code
	for _, r := range recordings {
		infos = append(infos, jen.Values(jen.Id("Path").Op(":").Lit(r.Path), jen.Id("Text").Op(":").Id(names.Recording(r.Path))))
	}

	return infos
}
