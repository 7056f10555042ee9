package tomldoc

import (
	"errors"

	"github.com/BurntSushi/toml"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/source"
)

func explain(f *source.File, err error) *diag.Diagnostic {
	at := source.Span{File: f}
	var pe toml.ParseError
	if errors.As(err, &pe) {
		at.Start = min(pe.Position.Start, len(f.Bytes))
		at.End = min(at.Start+pe.Position.Len, len(f.Bytes))
	}

	return diag.New(diag.Syntax, at, "this is not valid TOML")
}
