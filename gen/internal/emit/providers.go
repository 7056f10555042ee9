package emit

import (
	"bytes"
	"fmt"
	"go/format"

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
	values := eachOf(openers, func(o names.Opener) jen.Code {
		return jen.Line().Lit(o.Provider).Op(":").Qual(o.Path, "Open")
	})

	return partsDraft(p, names.ProvidersFile, names.ProviderParts,
		"the functions that open the models of the providers that the project names",
		in("compiled.Openers").Values(append(values, jen.Line())...), openers...)
}

// partsDraft is the file of a function that returns parts of the program.
func partsDraft(p *ir.Program, name, function, what string, part jen.Code, aliases ...names.Opener) *draft {
	return &draft{
		name: name, source: everything, sourceHash: sourceHash(sourcesOf(p)...),
		fill: func(f *jen.File) {
			for _, alias := range aliases {
				f.ImportAlias(alias.Path, alias.Name)
			}
			list := jen.Index().Add(in("compiled.Part"))
			declare(f, function+" returns "+what+". This file is replaced where a program is built for scripts alone.",
				jen.Func().Id(function).Params().Add(list).Block(jen.Return(list.Clone().Values(part))))
		},
	}
}

// programParts returns the parts of the program as its field has them: included ones, providers and servers; nil without any.
func programParts(p *ir.Program) *jen.Statement {
	var lists []jen.Code
	if parts := included(p); len(parts) > 0 {
		values := eachOf(parts, func(part names.Included) jen.Code { return jen.Qual(part.Path, "Part").Values() })
		lists = append(lists, jen.Index().Add(in("compiled.Part")).Values(values...))
	}
	if len(names.Openers(p)) > 0 {
		lists = append(lists, jen.Id(names.ProviderParts).Call())
	}
	if len(p.Servers) > 0 {
		lists = append(lists, jen.Id(names.ServerParts).Call())
	}
	switch len(lists) {
	case 0:
		return nil
	case 1:
		return jen.Add(lists[0])
	}

	return jen.Qual("slices", "Concat").Call(lists...)
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
	fmt.Fprintf(&b, "%s\n\npackage %s\n\nimport %q\n\nfunc %s() []compiled.Part { return nil }\n",
		generatedLine(everything), pkg, runtimePath+"/compiled", function)
	content, err := format.Source(b.Bytes())
	if err != nil {
		return b.Bytes() // go build says what is wrong with the name of a package that the checks have passed
	}

	return content
}
