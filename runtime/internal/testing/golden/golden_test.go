package golden

import "testing"

func TestFirstDifference(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "x", 1},
		{"a\nb\n", "a\nc\n", 2},
		{"a\nb\n", "a\n", 2},
		{"a\n", "a\nb\n", 2},
		{"a", "a\nb", 2},
	} {
		if got := firstDifference(test.a, test.b); got != test.want {
			t.Errorf("%q, %q: %d, want %d", test.a, test.b, got, test.want)
		}
	}
}
