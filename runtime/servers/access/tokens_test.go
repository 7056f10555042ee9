package access_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/servers/access"
)

const lines = "ada=ada-0123456789abcdef bob=bob-0123456789abcdef"

// fileWith makes a tokens file.
func fileWith(t *testing.T, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "tokens.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}

	return path
}

// A token that is added or revoked counts at once, and a file that cannot be used any more leaves those that could be read.
func TestFileChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".agentc", "tokens.yaml")
	ada, err := access.Add(path, access.Grant{Name: "ada", Rights: access.Rights()})
	if err != nil {
		t.Fatal(err)
	}
	var reported []string
	tokens, err := access.Open(path, func(err error) { reported = append(reported, err.Error()) })
	if err != nil {
		t.Fatal(err)
	}
	knows := func(token, name string) {
		t.Helper()
		if g, ok := tokens.Lookup(token); g.Name != name || ok != (name != "") {
			t.Errorf("the token belongs to %q, not of %q", g.Name, name)
		}
	}
	knows(ada, "ada")
	bob, err := access.Add(path, access.Grant{Name: "bob", Rights: []access.Right{access.Start}, Agents: []string{"desk"}})
	if err != nil {
		t.Fatal(err)
	}
	knows(bob, "bob")
	knows(ada, "ada")
	caller, err := access.Holder(tokens.Lookup, bob)
	if err != nil {
		t.Fatal(err)
	}
	if err := access.Revoke(path, "bob"); err != nil {
		t.Fatal(err)
	}
	knows(bob, "")
	var revoked *access.TokenError
	if err := caller.Check(access.Start, access.Target{}); !errors.As(err, &revoked) || err.Error() != "the token of bob has been revoked" {
		t.Errorf("revoked while in use: %v", err)
	}
	if caller.CanSee(access.Target{By: "bob"}) {
		t.Error("a revoked token still shows the runs of its holder")
	}

	for _, broken := range []string{"tokens: [", "", "tokens: []\n#\x00"} {
		if err := os.WriteFile(path, []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		knows(ada, "ada")
		knows(ada, "ada")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	knows(ada, "ada")
	knows(ada, "ada")
	if len(reported) != 4 || !strings.Contains(reported[0], path+":1: ") || !strings.Contains(reported[3], "no such file") {
		t.Errorf("reported once each: %q", reported)
	}
	if err := os.WriteFile(path, []byte("tokens: []"), 0o600); err != nil {
		t.Fatal(err)
	}
	knows(ada, "")
}

// Editing a file leaves what people wrote in it, of any form that can be edited.
func TestEdit(t *testing.T) {
	const hash = "0000000000000000000000000000000000000000000000000000000000000000"
	const before = "# who may call\ntokens:\n# the head\n- name: head\n  sha256: " + hash + "\n  rights: [read] # and no more\n\n# the end\n"
	path := fileWith(t, before)
	clerk := access.Grant{Name: "a clerk: \"x\\", Rights: []access.Right{access.Start}, Questions: []string{"unknown:pay", "yes"}}
	if _, err := access.Add(path, clerk); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(text), "# who may call\ntokens:\n# the head\n- name: head\n  sha256: "+hash+"\n  rights: [read] # and no more\n- name: \"a clerk: \\\"x\\\\\"\n") ||
		!strings.HasSuffix(string(text), "\n\n# the end\n") {
		t.Errorf("%v\n%s", err, text)
	}
	if err := access.Revoke(path, clerk.Name); err != nil {
		t.Fatal(err)
	}
	if text, err = os.ReadFile(path); string(text) != before {
		t.Errorf("%v\n%s", err, text)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}

	json := fileWith(t, `{"tokens": [{"name": "head", "sha256": "`+hash+`", "rights": [], "machines": ["m"]}]}`)
	token, err := access.Add(json, clerk)
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := access.Open(json, nil)
	if err != nil {
		t.Fatal(err)
	}
	if g, _ := tokens.Lookup(token); g.Name != clerk.Name || !slices.Equal(g.Questions, clerk.Questions) {
		t.Errorf("%+v", g)
	}
	if g := tokens.Grants()[0]; g.Name != "head" || len(g.Rights) > 0 || !slices.Equal(g.Machines, []string{"m"}) {
		t.Errorf("%+v", g)
	}
	for _, name := range []string{"head", clerk.Name} {
		if err := access.Revoke(json, name); err != nil {
			t.Fatal(err)
		}
	}
	if text, _ := os.ReadFile(json); string(text) != "tokens: []\n" {
		t.Errorf("%s", text)
	}
}

func TestEditMistakes(t *testing.T) {
	head := access.Grant{Name: "head", Rights: []access.Right{access.Read}}
	path := filepath.Join(t.TempDir(), "tokens.yaml")
	if _, err := access.Add(path, head); err != nil {
		t.Fatal(err)
	}
	add := func(path, name string) error {
		_, err := access.Add(path, access.Grant{Name: name, Rights: []access.Right{access.Read}})
		return err
	}
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"the name again":    {add(path, "head"), `there are two tokens with the name "head"`},
		"no name":           {add(path, ""), "name is empty"},
		"a name of no one":  {access.Revoke(path, "clerk"), `no token has the name "clerk"`},
		"lines":             {add(fileWith(t, lines), "head"), "it has lines NAME=TOKEN: edit it by hand"},
		"lines, revoked":    {access.Revoke(fileWith(t, lines), "ada"), "it has lines NAME=TOKEN: edit it by hand"},
		"a broken file":     {add(fileWith(t, "tokens: ["), "clerk"), ":1: "},
		"a file of another": {add(t.TempDir(), "clerk"), "it is not a file"},
	} {
		if runtime.ErrorType(test.err) != "CredentialError" || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", name, test.err, test.want)
		}
	}
	if tokens, err := access.Open(path, nil); err != nil || len(tokens.Grants()) != 1 {
		t.Errorf("after mistakes: %v", err)
	}
}

// Of tokens that are added at once none is lost.
func TestEditAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens.yaml")
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			if _, err := access.Add(path, access.Grant{Name: fmt.Sprint("n", i), Rights: []access.Right{access.Read}}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	tokens, err := access.Open(path, nil)
	if err != nil || len(tokens.Grants()) != 20 {
		t.Errorf("%d tokens, %v", len(tokens.Grants()), err)
	}
}

func TestOpenMistakes(t *testing.T) {
	if _, err := access.Open(filepath.Join(t.TempDir(), "none"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a file: %v", err)
	}
	for name, path := range map[string]string{
		"is not a file": t.TempDir(), "more than 1 MiB": fileWith(t, strings.Repeat("#\n", 1<<19)+"#\n"), ":1: there is no NAME=TOKEN": fileWith(t, "\n"),
	} {
		if _, err := access.Open(path, nil); runtime.ErrorType(err) != "CredentialError" || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Operators see and answer all runs; of tokens in lines the others see those of their holders.
func TestOperators(t *testing.T) {
	tokens, err := access.Parse("f", lines)
	if err != nil {
		t.Fatal(err)
	}
	if g, _ := tokens.Lookup("bob-0123456789abcdef"); !g.Has(access.Read) || !g.Has(access.Admin) {
		t.Errorf("a line has all rights: %+v", g)
	}
	if err := tokens.AddOperators("ada", "eve"); runtime.ErrorType(err) != "CredentialError" || !strings.Contains(err.Error(), "no token has the name eve") {
		t.Errorf("an operator without a token: %v", err)
	}
	if err := tokens.AddOperators("ada"); err != nil {
		t.Fatal(err)
	}
	if g, _ := tokens.Lookup("ada-0123456789abcdef"); !g.Has(access.Read) || !g.Has(access.Admin) {
		t.Errorf("an operator: %+v", g)
	}
	if g, _ := tokens.Lookup("bob-0123456789abcdef"); g.Has(access.Read) || g.Has(access.Admin) || !g.Has(access.Answer) {
		t.Errorf("another: %+v", g)
	}
	full, err := access.Parse("f", "tokens: [{name: ada, sha256: "+strings.Repeat("0", 64)+", rights: [start]}]")
	if err == nil {
		err = full.AddOperators("ada")
	}
	if g := full.Grants()[0]; err != nil || !slices.Equal(g.Rights, []access.Right{access.Start, access.Read, access.Answer}) {
		t.Errorf("%+v, %v", g, err)
	}
}
