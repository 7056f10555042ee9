//go:build unix

package access_test

import (
	"os"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/servers/access"
)

// A file that others can write, or that belongs to another user, gives no rights.
func TestForeignFile(t *testing.T) {
	for _, mode := range []os.FileMode{0o620, 0o602, 0o666} {
		path := fileWith(t, lines)
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := access.Open(path, nil); runtime.ErrorType(err) != "CredentialError" || !strings.Contains(err.Error(), "others can write it") {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
	if path := fileWith(t, lines); os.Chown(path, 12345, -1) == nil { // root may give files away
		if _, err := access.Open(path, nil); runtime.ErrorType(err) != "CredentialError" || !strings.Contains(err.Error(), "it belongs to user 12345") {
			t.Errorf("of another user: %v", err)
		}
	}

	path := fileWith(t, lines)
	tokens, err := access.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("eve=eve-0123456789abcdef"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if g, ok := tokens.Lookup("eve-0123456789abcdef"); ok {
		t.Errorf("a file that others can write lets %s in", g.Name)
	}
}
