package vet

import (
	"embed"
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Analyzers returns all analyzers of this package by name.
func Analyzers() []*analysis.Analyzer {
	return []*analysis.Analyzer{FinalKey, KeyText, NoRow, NotImplemented, RoutingError, StateSwitch}
}

// help has the documentation of each analyzer.
//
//go:embed help
var help embed.FS

// analyzer returns the analyzer of a name, which knows what agentc generated.
func analyzer(name string, run func(*analysis.Pass, *known)) *analysis.Analyzer {
	doc, err := help.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic(err) // the file is part of the program
	}

	return &analysis.Analyzer{
		Name:     name,
		Doc:      strings.TrimSuffix(string(doc), "\n"),
		Requires: []*analysis.Analyzer{generated},
		Run: func(pass *analysis.Pass) (any, error) {
			run(pass, pass.ResultOf[generated].(*known))

			return nil, nil
		},
	}
}

// runtimePath is the package that generated code links against.
const runtimePath = "github.com/agentc-dev/agentc/runtime"

// written returns the files that people write: what a generator wrote, theirs or ours, is not
// theirs to fix.
func written(pass *analysis.Pass) []*ast.File {
	return slices.DeleteFunc(slices.Clone(pass.Files), ast.IsGenerated)
}
