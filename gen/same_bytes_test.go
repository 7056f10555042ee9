package gen_test

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/agentc-dev/agentc/gen"
)

// shuffled is a file system that lists its folders in another order each time.
type shuffled struct {
	fs.FS
	random *rand.Rand
}

func (s shuffled) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(s.FS, name)
	s.random.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })

	return entries, err
}

// TestSameInputSameBytes compiles each example twenty times, from different folders and with shuffled listings: files and
// findings are the same.
func TestSameInputSameBytes(t *testing.T) {
	examples, err := filepath.Glob("../examples/*/agents")
	if err != nil || len(examples) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, agents := range examples {
		example := filepath.Dir(agents)
		t.Run(filepath.Base(example), func(t *testing.T) {
			first := compileFS(t, os.DirFS(example))
			if len(first.Files) == 0 {
				t.Fatalf("no files\n%s", render(t, first.Diagnostics))
			}
			for i := range uint64(20) {
				folder := filepath.Join(t.TempDir(), "a folder", "of another name")
				if err := os.CopyFS(folder, os.DirFS(example)); err != nil {
					t.Fatal(err)
				}
				again := compileFS(t, shuffled{FS: os.DirFS(folder), random: rand.New(rand.NewPCG(i, 1))})
				sameResult(t, first, again)
			}
		})
	}
}

func sameResult(t *testing.T, want, got *gen.Result) {
	t.Helper()
	if render(t, want.Diagnostics) != render(t, got.Diagnostics) {
		t.Errorf("findings differ:\n%s\n%s", render(t, want.Diagnostics), render(t, got.Diagnostics))
	}
	if len(want.Files) != len(got.Files) {
		t.Fatalf("%d files, then %d", len(want.Files), len(got.Files))
	}
	for i, file := range want.Files {
		if file.Name != got.Files[i].Name || !bytes.Equal(file.Content, got.Files[i].Content) {
			t.Errorf("%s differs from %s", got.Files[i].Name, file.Name)
		}
	}
}
