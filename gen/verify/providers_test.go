package verify_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/gen/emit"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
	"github.com/agentc-dev/agentc/gen/verify"
)

// The file of what opens models is there for a program that names a provider and for no other, and it imports just what it needs.
func TestProviders(t *testing.T) {
	p := load(t, "../emit/testdata/golden/providers.txtar")
	files, err := emit.Files(p, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(files, func(f emit.File) bool { return f.Name == names.ProvidersFile })
	if err := verify.Files(p, files); err != nil || at < 0 {
		t.Fatalf("as it is emitted: file %d, %v", at, err)
	}

	with := func(old, text string) []emit.File {
		changed := slices.Clone(files)
		changed[at].Content = bytes.Replace(files[at].Content, []byte(old), []byte(text), 1)
		if bytes.Equal(changed[at].Content, files[at].Content) {
			t.Fatalf("the file has no %s", old)
		}
		return changed
	}
	for name, damaged := range map[string][]emit.File{
		"none":            slices.Delete(slices.Clone(files), at, at+1),
		"another package": with("runtime/openai", "runtime/closedai/openai"),
		"an import more":  with("import (", "import (\n\t_ \"net/http\""),
		"a provider less": with(`"gemini", `, ""),
		"the empty one":   emit.WithoutProviders("agents", files),
	} {
		var mismatch *verify.MismatchError
		if err := verify.Files(p, damaged); !errors.As(err, &mismatch) || mismatch.Machine != "all agents" {
			t.Errorf("%s is read back with %v", name, err)
		}
	}

	p.Models, p.Providers = nil, nil
	p.AgentByName("read").Call = ir.Call{}
	var mismatch *verify.MismatchError
	if err := verify.Providers(p, map[string]*emit.File{names.ProvidersFile: &files[at]}); !errors.As(err, &mismatch) {
		t.Errorf("one that no name asks for is read back with %v", err)
	}
}
