package yamldoc

import (
	"bytes"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// CheckText finds the first place in the bytes [start, end) of f that neither YAML nor TOML may hold: bytes that are not
// UTF-8, and control characters. It returns nil if there is none.
func CheckText(f *source.File, start, end int) *diag.Diagnostic {
	if d := checkEncoding(f, start, end); d != nil {
		return d
	}
	for i := start; i < end; {
		r, size := utf8.DecodeRune(f.Bytes[i:end])
		if !printable(r) {
			span := source.Span{File: f, Start: i, End: i + size}
			return diag.New(diag.Syntax, span, "control character %U is not allowed here", r).
				WithHint("in double quotes it can be written as an escape")
		}
		i += size
	}

	return nil
}

// printable reports whether YAML allows r, by the production c-printable.
func printable(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r', r >= ' ' && r <= '~', r == 0x85:
		return true
	}

	return r >= 0xa0 && r != 0xfffe && r != 0xffff
}

// checkEncoding finds the first byte in [start, end) that is not UTF-8.
func checkEncoding(f *source.File, start, end int) *diag.Diagnostic {
	text := f.Bytes[start:end]
	if utf8.Valid(text) {
		return nil
	}
	if bytes.HasPrefix(f.Bytes, []byte("\xff\xfe")) || bytes.HasPrefix(f.Bytes, []byte("\xfe\xff")) {
		return diag.New(diag.Syntax, source.Span{File: f, Start: 0, End: 2}, "the file is UTF-16; save it as UTF-8")
	}
	for i := start; ; {
		r, size := utf8.DecodeRune(f.Bytes[i:end])
		if r == utf8.RuneError && size <= 1 {
			span := source.Span{File: f, Start: i, End: min(i+1, end)}
			return diag.New(diag.Syntax, span, "byte 0x%02x is not UTF-8; save the file as UTF-8", f.Bytes[i])
		}
		i += size
	}
}
