package agentmd

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
)

// TestSkillFiles: what is beside SKILL.md and below it is read; what cannot be compiled in is an error.
func TestSkillFiles(t *testing.T) {
	project := func() fstest.MapFS {
		return fstest.MapFS{
			"agents/a/AGENT.md":                {Data: []byte("---\nname: a\ndescription: x\nversion: 1.0.0\npattern: react\ncall: {uses: [s]}\n---\nDo it.\n")},
			"skills/s/SKILL.md":                {Data: []byte("---\nname: s\ndescription: x\n---\nRead it.\n")},
			"skills/s/forms.md":                {Data: []byte("forms")},
			"skills/s/references/deep/more.md": {Data: []byte("more")},
			"skills/s/SKILL/SKILL.md":          {Data: []byte("one of its own")},
			"skills/s/font.ttf":                {Data: []byte("a\x00b")},
			"skills/s/latin.txt":               {Data: []byte("\xfc")},
			"skills/s/.hidden":                 {Data: []byte("hidden")},
			"skills/s/.git/config":             {Data: []byte("hidden")},
		}
	}
	for want, change := range map[string]func(fstest.MapFS){
		"": func(fstest.MapFS) {},
		"1048577 b": func(p fstest.MapFS) {
			p["skills/s/large.bin"] = &fstest.MapFile{Data: make([]byte, largestSkillFile+1)}
		},
		"is a link": func(p fstest.MapFS) {
			p["skills/s/link.md"] = &fstest.MapFile{Data: []byte("forms.md"), Mode: fs.ModeSymlink | 0o777}
		},
		"8 MiB in them": func(p fstest.MapFS) {
			for i := range 9 {
				p[fmt.Sprintf("skills/s/z%d.txt", i)] = &fstest.MapFile{Data: bytes.Repeat([]byte("x"), largestSkillFile)}
			}
		},
		"than 500 files": func(p fstest.MapFS) {
			for i := range mostSkillFiles {
				p[fmt.Sprintf("skills/s/z%d.txt", i)] = &fstest.MapFile{}
			}
		},
	} {
		fsys := project()
		change(fsys)
		list := &diag.List{}
		p := frontend.New(fsys, list)
		format := New(p)
		format.Find()
		format.Read()
		if p.Err != nil {
			t.Fatal(p.Err)
		}
		program := p.Program
		said := ""
		for _, d := range list.Sorted() {
			said += d.Message + "\n"
		}
		if want == "" && said != "" || !strings.Contains(said, want) {
			t.Errorf("%q: %s", want, said)
		}
		var read []string
		for _, f := range program.Skills[0].Files[:5] {
			read = append(read, fmt.Sprint(f.Path, " ", f.Binary))
		}
		if got := strings.Join(read, ", "); want == "" && (got != "SKILL/SKILL.md false, font.ttf true, forms.md false, latin.txt true, references/deep/more.md false" || len(program.Skills[0].Files) != 5) {
			t.Errorf("read: %s", got)
		}
	}
}
