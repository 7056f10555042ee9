package web

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestReadable(t *testing.T) {
	base, _ := url.Parse("https://example.com/news/today")
	for name, c := range map[string]struct{ page, text string }{
		"text":        {"just   text\n", "just text"},
		"page":        {"<!doctype html><html><head><title> The\nnews </title><style>p{}</style></head><body><h1>News</h1><p>One<p>Two</body></html>", "# The news\n\n# News\n\nOne\n\nTwo"},
		"script":      {"a<SCRIPT type=x>if (a < b) '</p>';</Script >b<script src=x></script>c", "abc"},
		"open script": {"a<script>b", "a"},
		"comment":     {"a<!-- <p>b --> c<!>d<?php e ?>f", "a cdf"},
		"entities":    {"<p>&lt;b&gt; &amp;amp; &uuml;&#8364;&nbsp;x</p>", "<b> &amp; ü€ x"},
		"inline":      {"<b>bold</b>ly <i> go</i>", "boldly go"},
		"headings":    {"<h2>Two <em>x</em></h2>text<h3>Three</h3>", "## Two x\n\ntext\n\n### Three"},
		"empty":       {"<h2></h2><p>a</p>", "a"},
		"lists":       {"<ul><li>a<li>b<ol><li>c</li><li><p>d</p></li></ol></ul>end", "- a\n- b\n\n  1. c\n\n  2. d\n\nend"},
		"no list":     {"<li>a</ul></ol>b", "- a\n\nb"},
		"links":       {`<a href="../a?b=1&amp;c=2">two <b>words</b></a>, <a href=https://o.example/>x</a> <a href="#top">top</a> <a href="javascript:x()">js</a> <a>none</a> <a href="mailto:a@b.example">mail</a>`, "[two words](https://example.com/a?b=1&c=2), [x](https://o.example/) top js none [mail](mailto:a@b.example)"},
		"open links":  {`<a href=/a>one <a href=/b>two`, "[one](https://example.com/a) [two](https://example.com/b)"},
		"empty link":  {`<a href=/a></a><p>x`, "x"},
		"table":       {"<table><tr><th>Name<th>Age</tr><tr><td>Ada</td><td>36</td></tr><tr><td></td><td>7</td></tr></table>", "Name | Age\nAda | 36\n| 7"},
		"pre":         {"<pre>\n  a\n    b &lt;\n</pre><p>c", "\n  a\n    b <\n\n\nc"},
		"image":       {`<img src=x alt="a  cat"><img src=y>`, "[image: a cat]"},
		"break":       {"a<br>b<br/>c<hr>d", "a\nb\nc\n\n---\n\nd"},
		"no tags":     {"1 < 2 <3 </ <", "1 < 2 <3 </ <"},
		"quoted >":    {`<p title="a > b" data-x='>'>c</p>`, "c"},
		"cut tag":     {`a<p title="b`, "a"},
		"cut name":    {`a<di`, "a"},
		"bare":        {`<a href>x</a><p a=b/>y`, "x\n\ny"},
	} {
		if got := pageText(c.page, base); got != c.text {
			t.Errorf("%s: %q, not %q", name, got, c.text)
		}
	}
	if got := pageText(`<a href="/a">a</a>`, nil); got != "[a](/a)" {
		t.Errorf("without a base: %q", got)
	}
}

func FuzzReadable(f *testing.F) {
	f.Add(`<h1>a</h1><ul><li><a href="/x">b</a></ul><table><tr><td>c<td>d</table><pre> e </pre><!-- f --><script>g</script>`)
	f.Add(`<a href='x<p></`)
	base, _ := url.Parse("https://example.com/")
	f.Fuzz(func(t *testing.T, page string) {
		text := pageText(page, base)
		if utf8.ValidString(page) && !utf8.ValidString(text) {
			t.Fatalf("%q became %q", page, text)
		}
		if len(text) > 40*len(page)+100 {
			t.Fatalf("%d bytes became %d", len(page), len(text))
		}
	})
}

// TestLargePage: what large pages cost grows with their size and no faster.
func TestLargePage(t *testing.T) {
	for _, part := range []string{"<", "<ul>", "<a href=/", "</", "<script", "<!--", "<svg><", "&", "<p>text</p>", "<td>", "<a href='x'>y"} {
		if got := pageText(strings.Repeat(part, (1<<20)/len(part)), nil); len(got) > 20<<20 {
			t.Errorf("%s: %d bytes", part, len(got))
		}
	}
}
