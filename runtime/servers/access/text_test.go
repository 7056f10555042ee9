package access

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

const (
	headToken  = "head-0123456789abcdef"
	clerkToken = "clerk-0123456789abcdef"
)

func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))

	return hex.EncodeToString(sum[:])
}

// fill puts hashes in the place of HEAD and CLERK.
func fill(text string) string {
	return strings.NewReplacer("HEAD", hashOf(headToken), "CLERK", hashOf(clerkToken)).Replace(text)
}

func TestLines(t *testing.T) {
	for text, want := range map[string]string{
		"head=" + headToken:                                     "",
		"head=" + headToken + "\nhead=" + clerkToken:            "", // while one replaces the other
		"head=" + headToken + "=x\n# a=b\n clerk=" + clerkToken: "",
		"head=" + headToken + " head=" + clerkToken:             "",
		"tokens:=" + headToken:                                  "",
		"":                                                      "1: there is no NAME=TOKEN",
		"# nobody":                                              "1: there is no NAME=TOKEN",
		"\nhead " + headToken:                                   "2: a line is NAME=TOKEN",
		"=" + headToken:                                         "1: a line is NAME=TOKEN",
		"*=" + headToken:                                        "cannot be a name",
		"fork=" + headToken:                                     `"fork" cannot be a name`,
		"terminal=" + headToken:                                 `"terminal" cannot be a name`,
		"script=" + headToken:                                   `"script" cannot be a name`,
		"head=short":                                            "the token of head is shorter than 16 bytes",
		"head=\xff" + headToken:                                 "it is not UTF-8",
		"head=" + headToken + "\nclerk=" + headToken:            "2: two names have the same token",
	} {
		checkParse(t, text, want)
	}
}

// checkParse parses a text; want is a part of the mistake, "" if there is none. A mistake has its code and shows no token.
func checkParse(t *testing.T, text, want string) {
	t.Helper()
	_, err := Parse("f", text)
	var file *FileError
	switch {
	case want == "" && err != nil:
		t.Errorf("%q: %v", text, err)
	case want != "" && (!errors.As(err, &file) || file.ErrorType() != "CredentialError" || !strings.Contains(err.Error(), want)):
		t.Errorf("%q: %v, want %s", text, err, want)
	case want != "" && (strings.Contains(err.Error(), headToken) || strings.Contains(err.Error(), clerkToken)):
		t.Errorf("%q: the mistake shows a token: %v", text, err)
	}
}

// The full form is read in each of the ways in which people and programs write YAML.
func TestFullForm(t *testing.T) {
	both := []Grant{
		{Name: "head", Rights: []Right{Read, Answer}, Agents: []string{"desk"}, Questions: []string{"refund", "unknown:pay"}},
		{Name: "clerk", Rights: []Right{Start}},
	}
	for name, text := range map[string]string{
		"block": `
# who may call
tokens:
  - name: head # she approves
    sha256: HEAD
    rights:
      - read
      - answer
    agents: [desk]
    questions:
    - refund
    - "unknown:pay"
    machines: []

  - name: "clerk"
    sha256: 'CLERK'
    rights: [start]
`,
		"not indented": "---\ntokens:\n- name: head\n  sha256: HEAD\n  rights: [read, answer,]\n  agents: [ desk ]\n  questions: [refund, unknown:pay]\n" +
			"-\n  name: clerk\n  sha256: CLERK\n  rights: [start]",
		"flow":    "tokens: [{name: head, sha256: HEAD, rights: [read, answer], agents: [desk],\n questions: [refund, 'unknown:pay']},\n # and\n {name: clerk, sha256: CLERK, rights: [start]}]",
		"mixed":   "tokens:\n  - {name: head, sha256: HEAD, rights: [read, answer], agents: [desk], questions: [refund, 'unknown:pay']}\n  - {name: clerk, sha256: CLERK, rights: [start]}\n",
		"json":    `{"tokens":[{"name":"head","sha256":"HEAD","rights":["read","answer"],"agents":["desk"],"questions":["refund","unknown:pay"]},{"name":"cl\u0065rk","sha256":"CLERK","rights":["start"]}]}`,
		"tabbed":  "{\n\t\"tokens\": [\n\t\t{\"name\": \"head\", \"sha256\": \"HEAD\", \"rights\": [\"read\", \"answer\"], \"agents\": [\"desk\"], \"questions\": [\"refund\", \"unknown:pay\"]},\n\t\t{\"name\": \"clerk\", \"sha256\": \"CLERK\", \"rights\": [\"start\"]}\n\t]\n}\n",
		"windows": "\ufefftokens:\r\n  - name: head\r\n    sha256: HEAD\r\n    rights: [read, answer]\r\n    agents: [desk]\r\n    questions: [refund, unknown:pay]\r\n  - name: clerk\r\n    sha256: CLERK\r\n    rights: [start]\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			tokens, err := Parse("f", fill(text))
			if err != nil {
				t.Fatal(err)
			}
			for i, got := range tokens.Grants() {
				if want := both[i]; got.Name != want.Name || !slices.Equal(got.Rights, want.Rights) ||
					!slices.Equal(got.Agents, want.Agents) || !slices.Equal(got.Questions, want.Questions) || got.Machines != nil {
					t.Errorf("%+v, want %+v", got, want)
				}
			}
			if g, ok := tokens.Lookup(clerkToken); !ok || g.Name != "clerk" {
				t.Errorf("the token of the clerk is that of %q", g.Name)
			}
			compareWithYAML(t, fill(text))
		})
	}
	none, err := Parse("f", "tokens: []")
	if err != nil {
		t.Fatal(err)
	}
	if g, ok := none.Lookup(""); ok {
		t.Errorf("without tokens %q has the empty one", g.Name)
	}
}

func TestMistakes(t *testing.T) {
	const item = "tokens:\n  - name: head\n    sha256: HEAD\n    rights: [read]\n"
	for text, want := range map[string]string{
		"tokens:":                     "f:1: tokens is missing",
		"---":                         "f:1: the file ends where a value",
		"tokens: 1":                   "f:1: tokens has to be a list",
		"tokens: [head]":              "f:1: a token has to be a mapping",
		"{}":                          "f:1: tokens is missing",
		"{":                           "f:1: the file ends where a value",
		"tokens: []\nmore: 1":         `f:2: unknown field "more": there are tokens`,
		"tokens: []\ntokens: []":      "f:2: tokens is there twice",
		item + "    right: [read]":    `f:5: unknown field "right" (did you mean "rights"?)`,
		item + "    name: clerk":      "f:5: name is there twice",
		item + "    agents: desk":     "f:5: agents has to be a list, such as [agent]",
		item + "    agents: [[desk]]": "f:5: agents has to be a list of texts",
		item + "    agents: ['']":     "f:5: agents has to be a list of texts",
		item + "    agents:":          "f:5: agents has to be a list",
		item + "  - name: head\n    sha256: CLERK\n    rights: []":                 `f:5: there are two tokens with the name "head"`,
		item + "  - name: clerk\n    sha256: HEAD\n    rights: []":                 "f:5: two names have the same token",
		item + "  - name: clerk\n    sha256: CLERK\n":                              "f:5: rights is missing",
		item + "  - name: clerk\n    rights: []\n":                                 "f:5: sha256 is missing",
		item + "  - sha256: CLERK\n    rights: []\n":                               "f:5: name is missing",
		item + "  - name: '*'\n    sha256: CLERK\n    rights: []\n":                "f:5: * means everyone",
		item + "  - name: ''\n    sha256: CLERK\n    rights: []\n":                 "f:5: name is empty",
		item + "  - name: ' a'\n    sha256: CLERK\n    rights: []\n":               "f:5: a name begins or ends with a space",
		item + "  - name: \"a\\u0007\"\n    sha256: CLERK\n    rights: []\n":       "f:5: a name contains a control character",
		item + "  - name: [a]\n    sha256: CLERK\n    rights: []\n":                "f:5: name has to be a text",
		item + "  - name: clerk\n    sha256: " + clerkToken + "\n    rights: []\n": "f:6: sha256 has to be the SHA-256 hash of the token, as 64",
		item + "  - name: clerk\n    sha256: CLERK0\n    rights: []\n":             "f:6: sha256 has to be",
		item + "  - name: clerk\n    sha256: CLERK\n    rights: [raed]\n":          `f:7: there is no right "raed" (did you mean "read"?)`,
		item + "    agents: &a [x]":                                                "f:5: what begins at column 13",
		item + "    agents: *a":                                                    "f:5: what begins at column 13",
		item + "    agents: !!set [x]":                                             "f:5: what begins at column 13",
		item + "    agents: |\n      x":                                            "f:5: what begins at column 13",
		item + "    agents: [x, null]":                                             "f:5: null means no value",
		item + "    agents: [\"x\n\"]":                                             "f:5: a quote is not closed in its line",
		item + "    agents: ['x]":                                                  "f:5: a quote is not closed in its line",
		item + "    agents: [\"\\n\"]":                                             "f:5: a text in quotes has an escape",
		item + "    agents: [\"\\ud800\"]":                                         "f:5: a text in quotes has an escape",
		item + "    agents: [a b]":                                                 "f:5: what begins at column 16",
		item + "    agents: [a":                                                    "f:5: the file ends where a value",
		item + "    agents: [a]#b":                                                 "f:5: what begins at column 16",
		item + "     agents: [a]":                                                  "f:5: the indentation fits no value before it",
		item + "   agents: [a]":                                                    "f:5: the indentation fits no value before it",
		item + "\tagents: [a]":                                                     "f:5: a tab is not allowed",
		item + "    agents: [a]\x00":                                               "f:5: the character U+0000 is not allowed",
		item + "    agents: [\u2028]":                                              "f:5: the character U+2028 is not allowed",
		item + "  - clerk=" + clerkToken:                                           "f:5: a token has to be a mapping",
		item + "clerk=" + clerkToken:                                               "f:5: the file ends where a value",
		item + "---\n" + item:                                                      "f:5: what begins at column 1",
		"tokens: " + strings.Repeat("[", 9):                                        "f:1: values nest too deep",
		"tokens: " + strings.Repeat("[", 9999):                                     "f:1: values nest too deep",
	} {
		checkParse(t, fill(text), want)
	}
}

// compareWithYAML reads a text that is accepted with a package for YAML, which has to find the same in it.
func compareWithYAML(t *testing.T, text string) {
	t.Helper()
	c, err := parseFile("f", text)
	if err != nil {
		t.Fatal(err)
	}
	var other struct {
		Tokens []struct {
			Name, SHA256                        string
			Rights, Agents, Questions, Machines []string
		}
	}
	d := yaml.NewDecoder(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	d.KnownFields(true)
	if err := d.Decode(&other); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if len(other.Tokens) != len(c.holders) {
		t.Fatalf("%q has %d tokens, not %d", text, len(other.Tokens), len(c.holders))
	}
	for i, o := range other.Tokens {
		var rights []Right
		for _, right := range o.Rights {
			rights = append(rights, Right(right))
		}
		list := func(texts []string) []string { return append([]string(nil), texts...) }
		want := Grant{o.Name, rights, list(o.Agents), list(o.Questions), list(o.Machines)}
		if got := c.holders[i].grant; !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, not %+v", text, got, want)
		}
		if got := hex.EncodeToString(c.holders[i].hash[:]); got != strings.ToLower(o.SHA256) {
			t.Errorf("%q: hash %s, not %s", text, got, o.SHA256)
		}
	}
}

// Whatever a file says, reading it ends, its mistakes have a line of the file, and what is accepted means the same to a package for
// YAML.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"head=" + headToken, "tokens: []", "tokens:\n- {name: a, sha256: HEAD, rights: []}", "tokens: [{name: a, sha256: HEAD, rights: [read], agents: [b:c, 'd''e']}]",
		"---\ntokens:\n  -\n    \"name\": x # y\n    sha256: \"HEAD\"\n    rights:\n    - read\n", "{\"tokens\":[{\"name\":\"\\u00e9\",\"sha256\":\"HEAD\",\"rights\":[]}]}",
		"tokens: [{name: a/b@c.d, sha256: HEAD, rights: [\n\t], machines: [1:2,-], questions: [a=b]}]", "'tokens': []\n...",
	} {
		f.Add(fill(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parseFile("f", text)
		var file *FileError
		if err != nil {
			if !errors.As(err, &file) || file.Line < 0 || file.Line > strings.Count(text, "\n")+1 {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if c.isFull {
			compareWithYAML(t, text)
		}
	})
}

// The file of the page is one.
func TestFileOfThePage(t *testing.T) {
	text, err := os.ReadFile("testdata/tokens.yaml")
	if err != nil {
		t.Fatal(err)
	}
	compareWithYAML(t, string(text))
	tokens, err := Parse("f", string(text))
	if err != nil {
		t.Fatal(err)
	}
	if g, _ := tokens.Lookup(headToken); g.Name != "head" || !slices.Equal(g.Questions, []string{"approve"}) {
		t.Errorf("%+v", g)
	}
}
