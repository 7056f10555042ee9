package command

import (
	"archive/zip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// A project without a module is linked with the version that this agentc is, from a proxy, when
// there is no checkout.
func TestBareProjectOfARelease(t *testing.T) {
	asReleased(t, "v1.2.3")
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(proxy(t, "v1.2.3")))
	t.Setenv("GOSUMDB", "off")
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOFLAGS", "-modcacherw") // so that the folder can be removed
	dir := unpack(t, t.TempDir(), critic, criticScript)
	before := tree(t, dir)
	for range 2 {
		agentc(dir, "", "run", "--script", "answers.yaml", "x").want(t, cli.Done, "well done\n")
	}
	sameTree(t, before, tree(t, dir))
}

// proxy is a folder that serves the runtime as a version of agentc.
func proxy(t *testing.T, version string) string {
	t.Helper()
	dir := t.TempDir()
	at := filepath.Join(dir, "github.com", "agentc-dev", "agentc", "@v")
	const gomod = "module github.com/agentc-dev/agentc\n\ngo 1.25.0\n"
	unpack(t, at, "-- "+version+".info --\n{\"Version\": \""+version+"\"}\n-- "+version+".mod --\n"+gomod)
	file, err := os.Create(filepath.Join(at, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	archive := zip.NewWriter(file)
	add := func(name string, content []byte) error {
		w, err := archive.Create("github.com/agentc-dev/agentc@" + version + "/" + name)
		if err != nil {
			return err
		}
		_, err = w.Write(content)
		return err
	}
	root := os.DirFS(repository(t))
	err = fs.WalkDir(root, "runtime", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !isLinked(name) {
			return err
		}
		content, err := fs.ReadFile(root, name)
		return errors.Join(err, add(name, content))
	})
	if err := errors.Join(err, add("go.mod", []byte(gomod)), archive.Close()); err != nil {
		t.Fatal(err)
	}

	return dir
}
