package main

import (
	"strings"
	"testing"
)

func TestDoor(t *testing.T) {
	tests := []struct {
		words, stdout, stderr string
		code                  int
	}{
		{"open slam", "closed\nopened\nlocked\n  unlock: turn the key\n  break: use the shoulder\n", "", 0},
		{"lock break", "closed\nlocked\nbroken\n", "", 0},
		{"open lock", "closed\nopened\n", "the door is opened: \"lock\" is none of [close slam]\n", 1},
		{"lock break unlock", "closed\nlocked\nbroken\n", "the door is broken: \"unlock\" is none of []\n", 1},
	}
	for _, test := range tests {
		var stdout, stderr strings.Builder
		code := run(strings.Fields(test.words), &stdout, &stderr)
		if code != test.code || stdout.String() != test.stdout || stderr.String() != test.stderr {
			t.Errorf("door %s: code %d\n%s%s", test.words, code, &stdout, &stderr)
		}
	}
}
