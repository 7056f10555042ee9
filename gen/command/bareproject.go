package command

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/cache"
	"github.com/agentc-dev/agentc/gen/internal/gopkg"
)

// bareFolder is the folder in which go build sees the Go of a project without a module. It is in
// agentc's module, and only the overlay has it. barePath is its import path.
const (
	bareFolder = "agentc-project"
	barePath   = gopkg.Agentc + "/" + bareFolder
)

// bareProjectBuild describes the build of a project without a module. Nothing is written into the
// project.
func (l *linking) bareProjectBuild() (goBuild, error) {
	main, err := mainSource(l.result.Program, barePath+"/agents")
	if err != nil {
		return goBuild{}, err
	}
	files := map[string][]byte{"main.go": main}
	if l.panel {
		files[panelFile] = []byte(panelSource)
	}
	for _, f := range l.linkedFiles() {
		if !strings.HasSuffix(f.Name, "_test.go") {
			files[path.Join("agents", f.Name)] = f.Content
		}
	}
	parts, err := importedParts(l.linkedFiles())
	if err != nil {
		return goBuild{}, err
	}

	return newBareBuild(findOrigin(), files, parts)
}

// newBareBuild describes the build of a program without a module that needs agentc's runtime and
// some parts. The keys of files are slash-separated paths; main.go is one of them. The go.mod
// requires nothing else, because the runtime needs only the standard library.
func newBareBuild(from origin, files map[string][]byte, parts []part) (goBuild, error) {
	var err error
	b := goBuild{overlay: overlay{}, env: []string{"GO111MODULE=on", "GOFLAGS=-mod=mod", "GOWORK=off", "CGO_ENABLED=0"}, flags: []string{"-trimpath"}}
	if from.dir != "" { // the checkout is the main module, so the binary contains no path of this machine
		b.dir, b.main = from.dir, "./"+bareFolder
		b.gomod = "module " + gopkg.Agentc + "\n\n" + goLine
	} else {
		require := ""
		require, err = from.requirement()
		if err != nil {
			return b, err
		}
		b.dir, err = cache.Dir("bare")
		if err != nil {
			return b, err
		}
		b.main = "."
		b.gomod = "module " + barePath + "\n\n" + goLine + "\n" + require
		b.overlay[filepath.Join(b.dir, "go.mod")] = nil // there has to be one; -modfile replaces it
	}
	for name, content := range files {
		b.overlay[filepath.Join(b.dir, b.main, filepath.FromSlash(name))] = content
	}

	if err := from.requireParts(&b, parts); err != nil {
		return b, err
	}
	b.runtime, err = from.runtimeKey()

	return b, err
}
