package files

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// hostile are paths that lead nowhere, each with a word of the reason.
var hostile = map[string]string{
	"":                        "empty",
	"/etc/passwd":             "absolute",
	"//etc/passwd":            "absolute",
	`\etc\passwd`:             "backslash",
	`\\server\share\f`:        "backslash",
	`C:\Windows\win.ini`:      "backslash",
	"C:/Windows/win.ini":      "not every system",
	"C:autoexec.bat":          "not every system",
	"..":                      "leads out",
	"../x":                    "leads out",
	"a/../../x":               "leads out",
	"a/..":                    "leads out",
	"a/../b":                  "leads out",
	"./../x":                  "leads out",
	`a\..\..\x`:               "backslash",
	"a\x00b":                  "cannot be seen",
	"a\nb":                    "cannot be seen",
	"a\x7fb":                  "cannot be seen",
	"a\xffb":                  "UTF-8",
	"...":                     "dot",
	". .":                     "dot",
	".. /x":                   "dot",
	"a/.. ./x":                "dot",
	".env":                    "dot",
	".git/config":             "dot",
	".GIT/config":             "dot",
	"sub/.ssh/id_rsa":         "dot",
	"\u200c.git/config":       "cannot be seen",
	"\ufeff.env":              "cannot be seen",
	"\u034f.env":              "cannot be seen",
	"\u3164.env":              "cannot be seen",
	"\ufe0f.env":              "cannot be seen",
	"\u202egnp.exe":           "cannot be seen",
	"GIT~1/config":            "short form",
	"ENV~12":                  "short form",
	"con":                     "device",
	"NUL":                     "device",
	"a/nul.txt":               "device",
	"Aux.tar.gz":              "device",
	"COM1":                    "device",
	"lpt9.log":                "device",
	"COM¹":                    "device",
	"CONIN$":                  "device",
	"nul .txt":                "device",
	"trailing.":               "ends with",
	"trailing ":               "ends with",
	" leading":                "begins or ends",
	"a./b":                    "ends with",
	"file:stream":             "not every system",
	"file::$DATA":             "not every system",
	"what?":                   "not every system",
	"*.md":                    "not every system",
	"a|b":                     "not every system",
	strings.Repeat("a", 256):  "255",
	strings.Repeat("a/", 520): "1024",
	strings.Repeat("ü", 128):  "255",
	"~0/x":                    "short form",
	"file:///etc/passwd":      "not every system",
	"a/\u2066b":               "cannot be seen",
}

var harmless = map[string]string{
	"a":                      "a",
	"a/b/c.md":               "a/b/c.md",
	"./a":                    "a",
	"a//b/./c":               "a/b/c",
	"a/":                     "a",
	".":                      ".",
	"./.":                    ".",
	"Résumé – entwurf 2.md":  "Résumé – entwurf 2.md",
	"日本語/ファイル.md":            "日本語/ファイル.md",
	"a..b":                   "a..b",
	"a.b.c":                  "a.b.c",
	"console.txt":            "console.txt",
	"COM10":                  "COM10",
	"common":                 "common",
	"~user":                  "~user",
	"backup~":                "backup~",
	"$HOME":                  "$HOME",
	"a'b`c$(d);e&f":          "a'b`c$(d);e&f",
	"%2e%2e/x":               "%2e%2e/x",
	strings.Repeat("a", 255): strings.Repeat("a", 255),
}

func TestClean(t *testing.T) {
	for path, reason := range hostile {
		if cleaned, err := clean(path); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: %q, %v; want a reason with %q", path, cleaned, err, reason)
		}
	}
	for path, want := range harmless {
		if cleaned, err := clean(path); err != nil || cleaned != want {
			t.Errorf("%q: %q, %v; want %q", path, cleaned, err, want)
		}
	}
}

// TestHostilePathsTouchNothing lets both tools have every one of them.
func TestHostilePathsTouchNothing(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "root")
	put(t, "secret", dir, "x")
	put(t, "KEY=1", root, ".env")
	put(t, "secret", root, "a", ".hidden")
	call := use(t, Tools{Root: root})
	before := everything(t, dir)
	for path := range hostile {
		if !utf8.ValidString(path) {
			continue // it does not come through JSON
		}
		if got := call("files_read", "path", path); got.Text != "" || got.Problem == "" {
			t.Errorf("read %q: %+v", path, got)
		}
		if got := call("files_write", "path", path, "content", "evil"); got.Problem == "" {
			t.Errorf("wrote %q: %+v", path, got)
		}
	}
	if after := everything(t, dir); len(after) != len(before) || after["x"] != "secret" || after["root/.env"] != "KEY=1" {
		t.Errorf("there is %q", after)
	}
}

// FuzzClean looks for a path that is let through and should not be, by rules that are told another way.
func FuzzClean(f *testing.F) {
	for path := range hostile {
		f.Add(path)
	}
	for path := range harmless {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		cleaned, err := clean(path)
		if err != nil {
			if cleaned != "" || !utf8.ValidString(err.Error()) {
				t.Fatalf("%q: %q, %q", path, cleaned, err)
			}

			return
		}
		if again, err := clean(cleaned); err != nil || again != cleaned {
			t.Fatalf("%q became %q, and that %q, %v", path, cleaned, again, err)
		}
		if !filepath.IsLocal(filepath.FromSlash(cleaned)) || filepath.IsAbs(cleaned) || filepath.Clean(cleaned) != filepath.FromSlash(cleaned) {
			t.Fatalf("%q became %q, which does not stay inside", path, cleaned)
		}
		if cleaned == "." {
			return
		}
		for name := range strings.SplitSeq(cleaned, "/") {
			if name[0] == '.' || strings.ContainsAny(name, "\x00\\:") || len(name) > longestName {
				t.Fatalf("%q was let through with the name %q", path, name)
			}
		}
	})
}
