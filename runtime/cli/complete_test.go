package cli

import (
	"slices"
	"strings"
	"testing"
)

func TestComplete(t *testing.T) {
	tests := []struct {
		words string // a word of "." is empty
		want  []string
	}{
		{".", []string{"echo\trepeats"}},
		{"ec", []string{"echo\trepeats"}},
		{"help .", []string{"echo\trepeats"}},
		{"x", nil},
		{"-C .", nil}, // a folder, which the shell completes
		{"-C sub ec", []string{"echo\trepeats"}},
		{"-C sub -C .. ec", []string{"echo\trepeats"}},
		{"echo --str", []string{"--strict\tstrictly"}},
		{"echo -o", []string{"-o\twhere to"}},
		{"echo --format .", []string{"text", "json"}},
		{"echo --format = j", []string{"json"}},
		{"echo --strict .", nil},
	}
	for _, test := range tests {
		words := strings.Fields(test.words)
		for i, word := range words {
			if word == "." {
				words[i] = ""
			}
		}
		if got := echo().Complete(words); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.words, got, test.want)
		}
	}
}

func TestADescriptionOfSeveralLinesIsOneLine(t *testing.T) {
	p := echo()
	p.Commands[0].Flags[2].Help = "strictly:\nall or nothing"
	if got := p.Complete([]string{"echo", "--strict"}); !slices.Equal(got, []string{"--strict\tstrictly: all or nothing"}) {
		t.Errorf("%q", got)
	}
}
