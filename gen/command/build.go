package command

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/cli"
)

var buildCommand = &cli.Command{
	Name: "build", Args: "[DIR]", Max: 1,
	Summary: "compile a project to one static binary",
	Help: `The binary needs no C library, no Go and no source file; built twice from the same sources it has the same bytes. It is
named after the entry point unless -o says otherwise. DIR is a project folder, or one file of it; default: the working directory.
What is compiled, and where, is as for run.`,
	Example: "agentc build ./examples/support -o support\nagentc build ./examples/support -o support-arm --target linux/arm64\n" +
		"agentc build ./examples/support -o image/support --dockerfile && docker build -t support image",
	Flags: []cli.Flag{
		{Name: "o", Value: "FILE", Help: "the binary"},
		{Name: "target", Value: "OS/ARCH", Help: "system to build for, as GOOS/GOARCH; default: this one"},
		mainFlag,
		{Name: "dockerfile", Help: "write a Dockerfile and a .dockerignore beside the binary, for an image with certificates, and a shell where the program runs commands"},
	},
	Run: build,
}

func build(c *cli.Call) int {
	system, arch, code, ok := targetOf(c)
	if !ok {
		return code
	}
	p, code, ok := openProject(c, arg(c, 0))
	if !ok {
		return code
	}
	result, code, ok := p.compile(c)
	if !ok {
		return code
	}

	l := &linking{c: c, p: p, result: result}
	if err := l.answeredBy(script{}); err != nil {
		return c.Errorf(cli.Failure, "%v", err)
	}
	file := c.Path(c.Flag("o"))
	if c.Flag("o") == "" {
		file = filepath.Join(c.Dir, binaryName(p, result.Program, system))
	}
	if code, ok := placeFor(c, file); !ok {
		return code
	}
	in := image{dir: filepath.Dir(file), binary: filepath.Base(file), program: result.Program}
	if c.On("dockerfile") {
		if code, ok := in.place(c); !ok {
			return code
		}
	}
	_, code, ok = l.link(target{
		file:  file,
		flags: []string{"-trimpath", "-ldflags=-s -w -buildid= -X " + builtBy + "=" + ownVersion()},
		env:   []string{"CGO_ENABLED=0", "GOOS=" + system, "GOARCH=" + arch},
	})
	if !ok {
		return code
	}
	fmt.Fprintf(c.Stderr, "%s for %s/%s\n", c.Rel(file), system, arch)
	if c.On("dockerfile") {
		return in.write(c)
	}

	return cli.Done
}

// builtBy is the variable from which the binary knows which agentc has built it.
const builtBy = gopkg.Agentc + "/runtime/app.builtBy"

// targetOf is the system to build for. Images are for Linux.
func targetOf(c *cli.Call) (system, arch string, code int, ok bool) {
	system, arch = goruntime.GOOS, goruntime.GOARCH
	if c.On("dockerfile") {
		system = "linux"
	}
	if c.On("target") {
		if system, arch, ok = strings.Cut(c.Flag("target"), "/"); !ok || system == "" || arch == "" {
			return "", "", c.Usagef("--target is OS/ARCH, such as linux/arm64, not %q", c.Flag("target")), false
		}
	}
	if c.On("dockerfile") && system != "linux" {
		return "", "", c.Usagef("--dockerfile: an image is for linux, and the binary for %s", c.Flag("target")), false
	}

	return system, arch, cli.Done, true
}

// placeFor finds out, before anything is built, whether a binary can be written to file. A file that is no Go program is
// somebody's work and stays.
func placeFor(c *cli.Call, file string) (code int, ok bool) {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		dir := filepath.Dir(file)
		err := os.MkdirAll(dir, 0o777)
		if err == nil {
			var probe string
			probe, err = writeTemporary(dir, ".agentc-*", nil)
			_ = os.Remove(probe)
		}
		if err != nil {
			return c.Errorf(cli.Failure, "the binary cannot be written: %v", err), false
		}
	case info.IsDir():
		return c.Usagef("%s is a folder: name the binary with -o", c.Rel(file)), false
	case info.Mode().IsRegular() && info.Size() > 0:
		if _, err := buildinfo.ReadFile(file); err != nil {
			return c.Usagef("%s exists and is no Go program: name the binary with -o", c.Rel(file)), false
		}
	}

	return cli.Done, true
}

// binaryName is the entry point's name, else the project folder's.
func binaryName(p *project, program *ir.Program, system string) string {
	name := filepath.Base(p.dir)
	if program.Entry != nil {
		name = strings.TrimLeft(program.Entry.Name.Value, "_")
	}
	if system == "windows" {
		name += ".exe"
	}

	return name
}
