package fix

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

func files(contents map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, content := range contents {
		fsys[name] = &fstest.MapFile{Data: []byte(content), Mode: 0o644}
	}

	return fsys
}

// words is a check that finds, in the file f, each word of a table, and offers another one.
func words(table ...string) func(fs.FS) (*gen.Result, error) {
	return func(fsys fs.FS) (*gen.Result, error) {
		content, err := fs.ReadFile(fsys, "f")
		if err != nil {
			return nil, err
		}
		list := &diag.List{}
		file := source.NewFile("f", content)
		replace := strings.Split(strings.Join(table, " "), " ")
		for i := 0; i < len(replace); i += 2 {
			for at := 0; ; {
				n := strings.Index(string(content[at:]), replace[i])
				if n < 0 {
					break
				}
				span := source.Span{File: file, Start: at + n, End: at + n + len(replace[i])}
				list.Add(diag.New(diag.BadValue, span, "%s", replace[i]).WithFix("to "+replace[i+1], span, replace[i+1]))
				at = span.End
			}
		}

		return &gen.Result{Diagnostics: list.Sorted()}, nil
	}
}

func messages(fixes []Applied) string {
	var all []string
	for _, m := range fixes {
		all = append(all, fmt.Sprintf("%d:%s", m.Finding.Span.Start, m.Fix.Message))
	}

	return strings.Join(all, ", ")
}

func TestProjectGoesOnUntilNothingIsLeft(t *testing.T) {
	cases := []struct{ name, content, table, want, fixes string }{
		{"nothing to fix", "a b", "x y", "a b", ""},
		{"all at once", "one two one", "one 1 two 2", "1 2 1", "0:to 1, 4:to 2, 8:to 1"},
		{"the first of two that overlap", "abc", "ab x bc y", "xc", "0:to x"},
		{"the second too, if it is still found", "abcb", "ab b bc b", "bb", "0:to b, 0:to b"},
		{"what a fix brings to light", "a", "a bb bb c", "c", "0:to bb, 0:to c"},
		{"texts that become one, one after the other", "aa b", "aa x b x", "x x", "0:to x, 2:to x"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			fsys := files(map[string]string{"f": c.content, "g": "a b c"})
			r, err := fixProject(fsys, words(c.table))
			if err != nil {
				t.Fatal(err)
			}
			got := c.content
			for _, f := range r.Files {
				if f.Path != "f" || string(f.Old) != c.content {
					t.Errorf("file %s was %q", f.Path, f.Old)
				}
				got = string(f.New)
			}
			if got != c.want || messages(r.Applied) != c.fixes || (c.want != c.content) != (len(r.Files) == 1) {
				t.Errorf("got %q with %s", got, messages(r.Applied))
			}
			if string(fsys["f"].Data) != c.content {
				t.Errorf("the folder has %q now", fsys["f"].Data)
			}
		})
	}
}

// spoilers is a check like words whose fixes of some words leave an error where they were made.
func spoilers(table, errors map[string]string, compiled *int) func(fs.FS) (*gen.Result, error) {
	return func(fsys fs.FS) (*gen.Result, error) {
		*compiled++
		list := &diag.List{}
		names, err := fs.Glob(fsys, "f*")
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			content, err := fs.ReadFile(fsys, name)
			if err != nil {
				return nil, err
			}
			file := source.NewFile(name, content)
			at := 0
			for _, word := range strings.Fields(string(content)) {
				at += strings.Index(string(content[at:]), word)
				span := source.Span{File: file, Start: at, End: at + len(word)}
				at = span.End
				if better, ok := table[word]; ok {
					list.Add(diag.New(diag.UnknownField, span, "%s", word).WithFix("to "+better, span, better))
				}
				if problem, ok := errors[word]; ok {
					list.Add(diag.New(diag.BadValue, span, "%s", problem))
				}
			}
		}

		return &gen.Result{Diagnostics: list.Sorted()}, nil
	}
}

// A fix that leaves its diagnostic or a new error where it was made is dropped with all that follow
// from it, and the others are applied. What is wrong elsewhere, or was before, is no reason.
func TestFixesThatDoNotHoldAreDropped(t *testing.T) {
	cases := []struct {
		name, content, want string
		table, errors       map[string]string
	}{
		{"a new error", "aa bb cc", "aa x cc", map[string]string{"aa": "on", "bb": "x"}, map[string]string{"on": "is wrong"}},
		{"an error that was there before", "aa on", "on on", map[string]string{"aa": "on"}, map[string]string{"aa": "is wrong", "on": "is wrong"}},
		{"both of two, if the second does not hold", "aa", "aa", map[string]string{"aa": "b", "b": "on"}, map[string]string{"on": "is wrong"}},
		{"an error that the next fix removes", "aa", "cc", map[string]string{"aa": "b", "b": "cc"}, map[string]string{"b": "is wrong"}},
		{"both, if the first has an error of its own too", "aa", "aa", map[string]string{"aa": "b", "b": "on"}, map[string]string{"b": "is wrong", "on": "is worse"}},
		{"all", "aa aa", "aa aa", map[string]string{"aa": "on"}, map[string]string{"on": "is wrong"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			compiled := 0
			r, err := fixProject(files(map[string]string{"f": c.content}), spoilers(c.table, c.errors, &compiled))
			if err != nil {
				t.Fatal(err)
			}
			got := c.content
			for _, f := range r.Files {
				got = string(f.New)
			}
			if got != c.want {
				t.Errorf("got %q with %s", got, messages(r.Applied))
			}
			for _, d := range r.Left.Diagnostics {
				if len(d.Fixes) > 0 {
					t.Errorf("%s is still offered", d.Fixes[0].Message)
				}
			}
		})
	}
}

// However many files have a fix that does not hold, the project is compiled a few times.
func TestManyFixesThatDoNotHoldAreFoundAtOnce(t *testing.T) {
	contents := map[string]string{}
	for i := range 500 {
		contents[fmt.Sprintf("f%d", i)] = "aa bb"
	}
	compiled := 0
	table := map[string]string{"aa": "on", "bb": "x"}
	r, err := fixProject(files(contents), spoilers(table, map[string]string{"on": "is wrong"}, &compiled))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Applied) != 500 || compiled > 4 {
		t.Errorf("%d fixes, %d compilations", len(r.Applied), compiled)
	}
}

func TestFixesWithoutEndAreAFault(t *testing.T) {
	for _, table := range []string{"a b b a", "a xa"} {
		_, err := fixProject(files(map[string]string{"f": "a"}), words(table))
		var endless *EndlessError
		if !errors.As(err, &endless) || !strings.Contains(err.Error(), "f:1 [bad-value]") {
			t.Errorf("%s: %v", table, err)
		}
	}
}

// A fix whose file is not what the folder holds is no fix of the folder.
func TestFixesOfOtherFilesAreLeftAlone(t *testing.T) {
	elsewhere := source.NewFile("elsewhere", []byte("a"))
	older := source.NewFile("f", []byte("older"))
	r, err := fixProject(files(map[string]string{"f": "a"}), func(fs.FS) (*gen.Result, error) {
		list := &diag.List{}
		for _, f := range []*source.File{elsewhere, older, nil} {
			span := source.Span{File: f, End: 1}
			list.Add(diag.New(diag.BadValue, span, "m").WithFix("fix", span, "x"))
		}
		return &gen.Result{Diagnostics: list.Sorted()}, nil
	})
	if err != nil || len(r.Applied)+len(r.Files) > 0 || len(r.Left.Diagnostics) != 3 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestProjectFailsWithTheCompiler(t *testing.T) {
	broken := errors.New("broken")
	if _, err := fixProject(files(nil), func(fs.FS) (*gen.Result, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	fsys := files(map[string]string{"agents/a/AGENT.md": "---\nname: a\ndescription: A.\nversion: 1\npattern: oneshot\n---\n\nGo.\n"})
	if _, err := Project(ctx, gen.Options{FS: fsys}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// Whatever reads a file of the overlay gets the same bytes.
func TestOverlay(t *testing.T) {
	o := overlay{FS: files(map[string]string{"d/f": "old", "d/g": "g"}), changed: map[string][]byte{"d/f": []byte("new")}}
	for name, want := range map[string]string{"d/f": "new", "d/g": "g"} {
		read, err := fs.ReadFile(o, name)
		if err != nil || string(read) != want {
			t.Errorf("%s reads %q, %v", name, read, err)
		}
		f, err := o.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		opened := make([]byte, 8)
		if n, err := f.Read(opened); string(opened[:n]) != want {
			t.Errorf("%s opens as %q, %v", name, opened[:n], err)
		}
	}
	if _, err := o.Open("d/x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if entries, err := fs.ReadDir(o, "d"); err != nil || len(entries) != 2 {
		t.Errorf("%v, %v", entries, err)
	}
	if info, err := fs.Stat(o, "d/f"); err != nil || !info.Mode().IsRegular() {
		t.Errorf("%v, %v", info, err)
	}
}

// TestOverlaySeesLinks: a symbolic link is one in the overlay too.
func TestOverlaySeesLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", filepath.Join(dir, "link")); err != nil {
		t.Skip("the file system has no links")
	}
	o := overlay{FS: os.DirFS(dir)}
	for name, link := range map[string]bool{"file": false, "link": true} {
		if info, err := fs.Lstat(o, name); err != nil || (info.Mode()&fs.ModeSymlink != 0) != link {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if target, err := fs.ReadLink(o, "link"); err != nil || target != "file" {
		t.Errorf("the link leads to %q: %v", target, err)
	}
}
