package emit

import (
	"bytes"
	"fmt"
	"go/format"
	"path"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// providersDraft is the file of what opens models; nil if the project names no provider.
func providersDraft(p *ir.Program) *draft {
	openers := names.Openers(p)
	if len(openers) == 0 {
		return nil
	}
	var parts []jen.Code
	for _, opener := range openers {
		parts = append(parts, jen.Qual(opener.Path, "Part").
			Values(jen.Id("Names").Op(":").Index().String().Values(list(literals(opener.Providers)))))
	}

	return &draft{
		name: names.ProvidersFile, source: everything, sourceHash: sourceHash(sourcesOf(p)...),
		fill: func(f *jen.File) {
			for _, opener := range openers {
				if opener.Name == path.Base(opener.Path) {
					f.ImportName(opener.Path, opener.Name)
				} else {
					f.ImportAlias(opener.Path, opener.Name)
				}
			}
			f.Add(comment(names.ProviderParts + " are what opens the models of the providers that the project names. They stand in " +
				"a file of their own, so that a program whose answers come from a script can be built without them."))
			f.Func().Id(names.ProviderParts).Params().Index().Add(in("Part")).Block(
				jen.Return(jen.Index().Add(in("Part")).Values(parts...)))
		},
	}
}

// programParts returns the parts of the program as its field has them; nil without any.
func programParts(p *ir.Program) jen.Code {
	included := partsOf(p)
	list := jen.Index().Add(in("Part")).Values(included...)
	switch opens := len(names.Openers(p)) > 0; {
	case opens && len(included) == 0:
		return jen.Id(names.ProviderParts).Call()
	case opens:
		return jen.Append(list, jen.Id(names.ProviderParts).Call().Op("..."))
	case len(included) > 0:
		return list
	}

	return nil
}

// WithoutProviders returns files with which a program opens no models and has no MCP servers: what they import for that is not linked.
// It is for programs whose answers all come from a script, and that have to build where the modules for it are not at hand.
func WithoutProviders(pkg string, files []File) []File {
	bare := make([]File, len(files))
	for i, f := range files {
		switch f.Name {
		case names.ProvidersFile:
			f.Content = noParts(pkg, names.ProviderParts)
		case names.ServersFile:
			f.Content = noParts(pkg, names.ServerParts)
		}
		bare[i] = f
	}

	return bare
}

// noParts is the file of a function without the parts that it gives elsewhere.
func noParts(pkg, function string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n\npackage %s\n\nimport %q\n\nfunc %s() []runtime.Part { return nil }\n",
		generatedLine(everything), pkg, runtimePath, function)
	content, err := format.Source(b.Bytes())
	if err != nil {
		return b.Bytes() // go build says what is wrong with the name of a package that the checks have passed
	}

	return content
}
