package command

import (
	"bytes"
	"cmp"
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/cache"
	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/cli"
)

var buildCommand = &cli.Command{
	Name: "build", Args: "[DIR]", Max: 1,
	Summary: "compile a project to one static binary",
	Example: "agentc build ./examples/support -o support\nagentc build ./examples/support -o support-arm --target linux/arm64\n" +
		"agentc build ./examples/support -o image/support --dockerfile\ndocker build -t support image",
	Flags: []cli.Flag{
		{Name: "o", Value: "FILE", Help: "the file of the binary"},
		{Name: "target", Value: "OS/ARCH", Help: "the system to build for, as GOOS/GOARCH; default: this one"},
		mainFlag,
		{Name: "dockerfile", Help: "also write a Dockerfile and a .dockerignore; the image has certificates, and a shell if the program runs commands"},
	},
	Run: buildProject,
}

func buildProject(c *cli.Call) error {
	system, arch, err := parseTarget(c)
	if err != nil {
		return err
	}
	p, err := openProject(c, c.Arg(0))
	if err != nil {
		return err
	}
	result, err := p.compile(c)
	if err != nil {
		return err
	}

	l := &linking{c: c, p: p, result: result}
	if err := l.recordScripted(""); err != nil {
		return err
	}
	name := cmp.Or(c.Flag("o"), binaryName(p, result.Program, system, arch))
	file := c.Path(name)
	if err := checkBinaryFile(c, name); err != nil {
		return err
	}
	in := image{dir: filepath.Dir(file), binary: filepath.Base(file), program: result.Program}
	if c.On("dockerfile") {
		if err := in.checkWritable(c); err != nil {
			return err
		}
	}
	// Functions begin at multiples of 8 bytes. With the 32 of amd64 a binary is 0.07 MB larger.
	_, err = l.link(target{
		file:  file,
		flags: []string{"-trimpath", "-ldflags=-s -w -buildid= -funcalign=8 -X " + builtBy + "=" + c.Program.Version()},
		env:   []string{"CGO_ENABLED=0", "GOOS=" + system, "GOARCH=" + arch},
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Notes(), "%s for %s/%s\n", name, system, arch)
	if c.On("dockerfile") {
		return in.writeFiles(c)
	}

	return nil
}

// builtBy is the variable that holds the version of the agentc that built the binary.
const builtBy = gopkg.Agentc + "/runtime/cli/app.builtBy"

// parseTarget returns the system to build for. Images are for Linux.
func parseTarget(c *cli.Call) (system, arch string, err error) {
	system, arch = goruntime.GOOS, goruntime.GOARCH
	if c.On("dockerfile") {
		system = "linux"
	}
	if c.On("target") {
		system, arch, _ = strings.Cut(c.Flag("target"), "/")
	}
	switch {
	case system == "" || arch == "":
		return "", "", c.Usagef("--target is OS/ARCH, such as linux/arm64, not %q", c.Flag("target"))
	case c.On("dockerfile") && system != "linux":
		return "", "", c.Usagef("--dockerfile: an image is for linux, and the binary for %s", c.Flag("target"))
	}

	return system, arch, nil
}

// checkBinaryFile reports, before anything is built, why the binary cannot be written to a file. It
// creates the folder of the file if necessary. It rejects an existing file that is not a Go
// program.
func checkBinaryFile(c *cli.Call, name string) error {
	file := c.Path(name)
	info, err := os.Stat(file)
	switch {
	case err != nil:
		if err := makeParentFolder(c, name); err != nil {
			return fmt.Errorf("the binary cannot be written: %w", err)
		}
	case info.IsDir():
		return c.Usagef("%s is a folder: name the binary with -o", name)
	case info.Mode().IsRegular() && info.Size() > 0:
		if _, err := buildinfo.ReadFile(file); err != nil && !isWebAssembly(file) {
			return c.Usagef("%s exists and is not a Go program: name the binary with -o", name)
		}
	}

	return nil
}

// makeParentFolder creates the folder of a file, prints a note if it was missing, and checks that
// files can be written to it.
func makeParentFolder(c *cli.Call, name string) error {
	dir := filepath.Dir(c.Path(name))
	isNew := !fileExists(dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if isNew {
		fmt.Fprintf(c.Notes(), "made the folder %s\n", filepath.Dir(name))
	}
	probe, err := cache.WriteTemporary(dir, ".agentc-*", nil)
	if err != nil {
		return err
	}

	return os.Remove(probe)
}

// isWebAssembly reports whether a file is a WebAssembly module, which package buildinfo cannot
// read.
func isWebAssembly(file string) bool {
	content, err := os.ReadFile(file)

	return err == nil && bytes.HasPrefix(content, []byte("\x00asm"))
}

// binaryName returns the name of the entry point, else of the project folder.
func binaryName(p *project, program *ir.Program, system, arch string) string {
	name := filepath.Base(p.dir)
	if program.Entry != nil {
		name = strings.TrimLeft(program.Entry.Name.Value, "_")
	}
	switch {
	case system == "windows":
		name += ".exe"
	case arch == "wasm":
		name += ".wasm"
	}

	return name
}
