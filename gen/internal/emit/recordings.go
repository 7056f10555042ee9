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
				declare(f, names.Recording(r.Path)+" is "+r.Path+".",
					jen.Const().Id(names.Recording(r.Path)).Op("=").Add(code(string(r.File.Bytes))))
			}
		},
	}
}

func recordingInfo(r *ir.Recording) jen.Code {
	return fieldsOf("Path", r.Path, "Text", jen.Id(names.Recording(r.Path))).line()
}
