package bearer_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/bearer"
)

const (
	headToken  = "head-0123456789abcdef"
	clerkToken = "clerk-0123456789abcdef"
)

func TestCredentials(t *testing.T) {
	for text, want := range map[string]string{
		"head=" + headToken: "",
		"head=" + headToken + "=x\n# a=b\n clerk=" + clerkToken: "",
		"head=" + headToken + " head=" + clerkToken:             "",
		"":                    "1: there is no NAME=TOKEN",
		"# nobody":            "1: there is no NAME=TOKEN",
		"\nhead " + headToken: "2: a line is NAME=TOKEN",
		"=" + headToken:       "1: a line is NAME=TOKEN",
		"*=" + headToken:      "cannot be a name",
		"head=short":          "the token of head is shorter than 16 bytes",
		"head=" + headToken + "\nclerk=" + headToken: "2: two names have the same token",
	} {
		_, err := bearer.Parse("f", text)
		switch {
		case want == "" && err != nil:
			t.Errorf("%q: %v", text, err)
		case want != "" && (runtime.ErrorType(err) != "CredentialError" || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %s", text, err, want)
		case want != "" && strings.Contains(err.Error(), headToken):
			t.Errorf("%q: the mistake shows a token: %v", text, err)
		}
	}
}

func TestHolders(t *testing.T) {
	known, err := bearer.Parse("f", "head="+headToken+" clerk="+clerkToken)
	if err != nil {
		t.Fatal(err)
	}
	for token, want := range map[string]string{
		headToken: "head", clerkToken: "clerk", "": "", "head": "", headToken + "x": "", headToken[:len(headToken)-1]: "",
		strings.ToUpper(headToken): "",
	} {
		if name, ok := known.Holder(token); name != want || ok != (want != "") {
			t.Errorf("%q is the token of %q, %v", token, name, ok)
		}
	}
	if name, ok := bearer.Credentials(nil).Holder(""); ok {
		t.Errorf("without credentials %q has the empty token", name)
	}
}

// An address that other machines reach is opened with credentials only.
func TestListen(t *testing.T) {
	known, err := bearer.Parse("f", "head="+headToken)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		address string
		known   bearer.Credentials
		open    bool
	}{
		{"127.0.0.1:0", nil, true}, {"0.0.0.0:0", nil, false}, {":0", nil, false}, {"0.0.0.0:0", known, true},
	} {
		l, err := bearer.Listen(test.address, len(test.known) > 0, "X_TOKENS")
		if test.open != (err == nil) || !test.open && (runtime.ErrorType(err) != "OpenDoorError" || !strings.Contains(err.Error(), "X_TOKENS")) {
			t.Errorf("%s with %d credentials: %v", test.address, len(test.known), err)
		}
		if err == nil {
			_ = l.Close()
		}
	}
}
