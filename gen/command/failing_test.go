package command

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/output"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// failingDisk fails at its nth operation that writes.
type failingDisk struct {
	folder
	n, fail int
}

var errFull = errors.New("no space left on device")

func (d *failingDisk) fails() error {
	if d.n++; d.n == d.fail {
		return errFull
	}

	return nil
}

func (d *failingDisk) Mkdir(name string) error {
	return errors.Join(d.fails(), d.unlessFailed(func() error { return d.folder.Mkdir(name) }))
}

func (d *failingDisk) Create(name string, content []byte) error {
	return errors.Join(d.fails(), d.unlessFailed(func() error { return d.folder.Create(name, content) }))
}

func (d *failingDisk) Chmod(name string, mode fs.FileMode) error {
	return errors.Join(d.fails(), d.unlessFailed(func() error { return d.folder.Chmod(name, mode) }))
}

func (d *failingDisk) Rename(from, to string) error {
	return errors.Join(d.fails(), d.unlessFailed(func() error { return d.folder.Rename(from, to) }))
}

func (d *failingDisk) Remove(name string) error {
	return errors.Join(d.fails(), d.unlessFailed(func() error { return d.folder.Remove(name) }))
}

func (d *failingDisk) unlessFailed(do func() error) error {
	if d.n == d.fail {
		return nil
	}

	return do()
}

// A project is generated, changed in several places, and generated again on a disk whose nth
// operation fails, for every n: each file is the old or the new one, nothing else is there, and the
// next run leads to a clean --check.
func TestGenerateOnAFailingDisk(t *testing.T) {
	t.Cleanup(func() { openOutput = func(dir string) (folder, error) { return output.Open(dir) } })
	changed := strings.NewReplacer("Write. Finish", "Write well. Finish", "refine", "polish").Replace(critic)
	for _, start := range []string{"new", "changed"} {
		oldDir, newDir := prepared(t, start, changed), prepared(t, start, changed)
		agentc(newDir, "", "generate").want(t, cli.Done, "")
		old, wanted := relative(t, oldDir), relative(t, newDir)

		failures := 0
		for n := 1; ; n++ {
			dir := prepared(t, start, changed)
			disk := &failingDisk{fail: n}
			openOutput = func(dir string) (folder, error) {
				real, err := output.Open(dir)
				disk.folder = real
				return disk, err
			}
			r := agentc(dir, "", "generate")
			if r.code == cli.Done {
				break
			}
			r.want(t, cli.Failure, "", errFull.Error())
			failures++
			for name, content := range relative(t, dir) {
				if content != old[name] && content != wanted[name] {
					t.Errorf("%s, operation %d: %s is neither old nor new", start, n, name)
				}
			}
			openOutput = func(dir string) (folder, error) { return output.Open(dir) }
			agentc(dir, "", "generate").want(t, cli.Done, "")
			agentc(dir, "", "generate", "--check").want(t, cli.Done, "")
			if got := relative(t, dir); len(got) != len(wanted) {
				t.Errorf("%s, operation %d: %d files, want %d", start, n, len(got), len(wanted))
			}
		}
		if failures < 8 {
			t.Errorf("%s: only %d operations failed", start, failures)
		}
	}
}

// prepared is a folder in which generate has something to do: everything, or what differs between
// two states of the sources.
func prepared(t *testing.T, start, changed string) string {
	t.Helper()
	dir := t.TempDir()
	if start == "changed" {
		openOutput = func(dir string) (folder, error) { return output.Open(dir) }
		unpack(t, dir, critic, "-- agents/refine/notes.txt --\n")
		agentc(dir, "", "generate").want(t, cli.Done, "")
		remove(t, filepath.Join(dir, "agents", "refine"))
	}

	return unpack(t, dir, changed)
}

// relative is tree with names relative to dir.
func relative(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for name, content := range tree(t, dir) {
		name, err := filepath.Rel(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = content
	}

	return files
}
