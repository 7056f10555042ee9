package shell

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestOutput compares with what is kept when everything is there at once.
func TestOutput(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		limit := 2 * (1 + random.IntN(20))
		o, all := &output{max: limit}, ""
		for range random.IntN(10) {
			p := make([]byte, random.IntN(30))
			for i := range p {
				p[i] = byte('a' + random.IntN(26))
			}
			if n, err := o.Write(p); n != len(p) || err != nil {
				t.Fatal(n, err)
			}
			all += string(p)
			if len(o.head)+len(o.tail) > 2*limit+30 {
				t.Fatalf("%d bytes are kept of at most %d", len(o.head)+len(o.tail), limit)
			}
		}
		want := all
		if left := len(all) - limit; left > 0 {
			want = fmt.Sprintf("%s\n[%d bytes are left out here]\n%s", all[:limit/2], left, all[len(all)-limit/2:])
		}
		if got := o.String(); got != want {
			t.Fatalf("%d of %q: %q, want %q", limit, all, got, want)
		}
	}
}

func TestOutputIsText(t *testing.T) {
	o := &output{max: 4}
	_, _ = o.Write([]byte("aü" + strings.Repeat("x", 10) + "üb"))
	if got, want := o.String(), "a\ufffd\n[12 bytes are left out here]\n\ufffdb"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
