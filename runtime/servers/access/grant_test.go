package access_test

import (
	"errors"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/servers/access"
)

// holder returns a caller with a grant.
func holder(t *testing.T, g access.Grant) access.Caller {
	t.Helper()
	c, err := access.Holder(func(token string) (access.Grant, bool) { return g, token == "x" }, "x")
	if err != nil {
		t.Fatal(err)
	}

	return c
}

func TestCheck(t *testing.T) {
	g := access.Grant{
		Name: "ann", Rights: []access.Right{access.Answer, access.Fire, access.Start}, Agents: []string{"desk"}, Questions: []string{"refund"}, Machines: []string{"big-door"},
	}
	ann := holder(t, g)
	for _, test := range []struct {
		right access.Right
		on    access.Target
		want  string // of the error; "" if it is permitted
	}{
		{access.Start, access.Target{Agent: "desk"}, ""},
		{access.Start, access.Target{Agent: "other"}, `the token of ann has the right "start" for the agents desk, and not for "other"`},
		{access.Read, access.Target{Agent: "desk"}, `the token of ann does not have the right "read"`},
		{access.Answer, access.Target{Agent: "desk", Question: "refund"}, ""},
		{access.Answer, access.Target{Agent: "desk", Question: "unknown:refund"}, `the token of ann has the right "answer" for the questions refund, and not for "unknown:refund"`},
		{access.Answer, access.Target{Agent: "other", Question: "refund"}, `the token of ann has the right "answer" for the agents desk, and not for "other"`},
		{access.Fire, access.Target{Machine: "big-door"}, ""},
		{access.Fire, access.Target{Machine: "big_door"}, ""},
		{access.Fire, access.Target{Machine: "door"}, `the token of ann has the right "fire" for the machines big-door, and not for "door"`},
		{access.Cancel, access.Target{By: "ann", Agent: "desk"}, `the token of ann does not have the right "cancel"`},
		{access.Admin, access.Target{}, `the token of ann does not have the right "admin"`},
	} {
		err := ann.Check(test.right, test.on)
		if text := errorText(err); text != test.want {
			t.Errorf("%s %+v: %s, want %s", test.right, test.on, text, test.want)
		}
		if test.want != "" && runtime.ErrorType(err) != "RightError" {
			t.Errorf("%s %+v: the error is %T", test.right, test.on, err)
		}
		if err := access.Named("ann").Check(test.right, test.on); err != nil {
			t.Errorf("without tokens %s %+v: %v", test.right, test.on, err)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}

	return err.Error()
}

func TestCanSee(t *testing.T) {
	for name, test := range map[string]struct {
		c    access.Caller
		on   access.Target
		want bool
	}{
		"own, of an agent that is not listed": {holder(t, access.Grant{Name: "ann", Rights: []access.Right{access.Start}, Agents: []string{"desk"}}), access.Target{By: "ann", Agent: "other"}, true},
		"of another":                          {holder(t, access.Grant{Name: "ann", Rights: []access.Right{access.Start, access.Answer}}), access.Target{By: "bob"}, false},
		"of no one":                           {holder(t, access.Grant{Name: "ann", Rights: []access.Right{access.Start}}), access.Target{}, false},
		"of another, with the right":          {holder(t, access.Grant{Name: "ann", Rights: []access.Right{access.Read}}), access.Target{By: "bob", Agent: "desk"}, true},
		"of another agent":                    {holder(t, access.Grant{Name: "ann", Rights: []access.Right{access.Read}, Agents: []string{"x"}}), access.Target{By: "bob", Agent: "desk"}, false},
		"of an agent that is not known":       {holder(t, access.Grant{Name: "ann", Rights: []access.Right{access.Read}, Agents: []string{"x"}}), access.Target{By: "bob"}, false},
		"with all rights":                     {holder(t, access.Grant{Name: "ann"}), access.Target{By: "bob", Agent: "desk"}, true},
		"without tokens":                      {access.Caller{}, access.Target{By: "bob"}, true},
	} {
		if got := test.c.CanSee(test.on); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestHolder(t *testing.T) {
	tokens, err := access.Parse("f", lines)
	if err != nil {
		t.Fatal(err)
	}
	var unknown *access.TokenError
	for _, token := range []string{"", "ada", "ada-0123456789abcde", "ADA-0123456789ABCDEF", "ada-0123456789abcdefg"} {
		if c, err := access.Holder(tokens.Lookup, token); !errors.As(err, &unknown) || runtime.ErrorType(err) != "TokenError" {
			t.Errorf("%q is the token of %q: %v", token, c.Name(), err)
		}
	}
	if c, err := access.Holder(tokens.Lookup, "bob-0123456789abcdef"); err != nil || c.Name() != "bob" || !c.HasToken() {
		t.Errorf("%q, %v", c.Name(), err)
	}
	if c, err := access.Holder(nil, "x"); err != nil || c.HasToken() {
		t.Errorf("no token is needed: %v", err)
	}
}
