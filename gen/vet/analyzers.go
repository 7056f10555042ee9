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

// newAnalyzer returns the analyzer with a name, which receives the generated types.
func newAnalyzer(name string, run func(*analysis.Pass, *generatedTypes)) *analysis.Analyzer {
	doc, err := help.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic(err) // the file is embedded
	}

	return &analysis.Analyzer{
		Name:     name,
		Doc:      strings.TrimSuffix(string(doc), "\n"),
		Requires: []*analysis.Analyzer{generated},
		Run: func(pass *analysis.Pass) (any, error) {
			run(pass, pass.ResultOf[generated].(*generatedTypes))

			return nil, nil
		},
	}
}

// runtimePath is the package that generated code links against.
const runtimePath = "github.com/agentc-dev/agentc/runtime"

// handwrittenFiles returns the files that are not generated: users cannot fix generated ones.
func handwrittenFiles(pass *analysis.Pass) []*ast.File {
	return slices.DeleteFunc(slices.Clone(pass.Files), ast.IsGenerated)
}
