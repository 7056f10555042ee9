package page

import (
	"bytes"
	"strings"
	"testing"
)

// TestSize: a page without data is far below 1.5 MB.
func TestSize(t *testing.T) {
	var b bytes.Buffer
	if err := (&Page{Title: "empty"}).Write(&b); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 200<<10 {
		t.Errorf("%d bytes", b.Len())
	}
}

// TestPolicy: no part of a page is taken from elsewhere, and only its own script and style count.
func TestPolicy(t *testing.T) {
	var b bytes.Buffer
	if err := (&Page{Title: `</title><script>alert(1)</script>"`, Runs: []*Run{{Text: "</pre></noscript><script>alert(2)</script>"}}}).Write(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{"default-src 'none'", policyHash(script), "&lt;/title&gt;", "&lt;/pre&gt;"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %.600s", want, text)
		}
	}
	if n := strings.Count(text, "<script"); n != 2 {
		t.Errorf("%d scripts", n)
	}
	if strings.Contains(text, "alert(1)</script>") || strings.Contains(script, "</script") || strings.Contains(style, "</style") {
		t.Error("a text ends its element")
	}
}
