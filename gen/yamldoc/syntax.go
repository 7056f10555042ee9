package yamldoc

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/source"
)

func explainSyntax(f *source.File, base int, text []byte, err error) *diag.Diagnostic {
	return diag.New(diag.Syntax, source.Span{File: f, Start: base, End: base}, "this is not valid YAML")
}
