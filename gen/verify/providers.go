package verify

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/emit"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// providers compares the file of what opens models, imports and all, for they decide what a binary carries. There is none if the
// project names no provider.
func providers(p *ir.Program, files map[string]*emit.File) error {
	f, openers := files[names.ProvidersFile], names.Openers(p)
	switch {
	case len(openers) == 0:
		return absentFile(p, files, names.ProvidersFile)
	case f == nil:
		return &MismatchError{Machine: allAgents, Where: names.ProvidersFile, Want: "a file", Got: "none"}
	}
	d, err := parse(f)
	if err != nil {
		return err
	}

	r := &reader{decls: d, agent: allAgents}
	imports := []string{"github.com/agentc-dev/agentc/runtime"}
	var parts []string
	for _, opener := range openers {
		imports = append(imports, opener.Path)
		parts = append(parts, opener.Name+".Part{Names: "+textList(opener.Providers)+"}")
	}
	slices.Sort(imports)
	r.same("the imports", imports, d.imports)
	r.writtenFunc(names.ProviderParts,
		"func "+names.ProviderParts+"() []runtime.Part { return []runtime.Part{"+strings.Join(parts, ", ")+"} }")

	return r.err
}

// programParts returns the parts of the program as its field has them; "" without any.
func programParts(p *ir.Program) string {
	included := partsOf(p)
	list := "[]runtime.Part{" + strings.Join(included, ", ") + "}"
	switch opens := len(names.Openers(p)) > 0; {
	case opens && len(included) == 0:
		return names.ProviderParts + "()"
	case opens:
		return "append(" + list + ", " + names.ProviderParts + "()...)"
	case len(included) > 0:
		return list
	}

	return ""
}
