package check_test

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
)

// fakeSecrets puts secrets into cases, so that no file of the repository has one for others to find.
var fakeSecrets = strings.NewReplacer(pairsOf(secrets)...)

// secrets are made up, each of its kind's shape.
var secrets = map[string]string{
	"«an OpenAI key»":  "sk-" + "proj-" + random(1, 48),
	"«a GitHub token»": "gh" + "p_" + random(2, 36),
	"«an npm token»":   "np" + "m_" + random(3, 36),
	"«an AWS key»":     "AK" + "IA" + strings.ToUpper(random(4, 16)),
	"«a random token»": random(5, 40),
	"«password»":       "kV3-" + random(6, 8),
	"«a private key»": "-----BEGIN " + "PRIVATE KEY-----\n    " + random(7, 64) + "\n    " + random(8, 64) + "\n    " + random(9, 22) +
		"==\n    -----END " + "PRIVATE KEY-----",
}

func random(seed uint64, n int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	r := rand.New(rand.NewPCG(seed, 1))
	text := make([]byte, n)
	for i := range text {
		text[i] = letters[r.IntN(len(letters))]
	}

	return string(text)
}

func pairsOf(texts map[string]string) []string {
	var pairs []string
	for name, text := range texts {
		pairs = append(pairs, name, text)
	}

	return pairs
}

// No report in any format shows a secret, nor as much of one as could be of use.
func TestReportsShowNoSecret(t *testing.T) {
	formats := map[string]func(io.Writer, []*diag.Diagnostic) error{
		"text":   func(w io.Writer, all []*diag.Diagnostic) error { return diag.Text(w, all, diag.TextOptions{}) },
		"json":   func(w io.Writer, all []*diag.Diagnostic) error { return diag.JSON(w, all, nil) },
		"sarif":  func(w io.Writer, all []*diag.Diagnostic) error { return diag.SARIF(w, all, diag.SARIFOptions{}) },
		"github": func(w io.Writer, all []*diag.Diagnostic) error { return diag.GitHub(w, all, nil) },
	}
	for _, c := range casetest.Read(t, "testdata/err/*.txtar") {
		if checkOf(c.Name) != "prompt-secret" {
			continue
		}
		findings := compile(t, c.Archive)
		for name, write := range formats {
			var b strings.Builder
			if err := write(&b, findings); err != nil {
				t.Fatal(err)
			}
			for kind, text := range secrets {
				if shown := shownOf(b.String(), text); holds(c.Archive, kind) && shown != "" {
					t.Errorf("%s: %s shows %q of %s:\n%s", c.Name, name, shown, kind, b.String())
				}
			}
		}
	}
}

// shownOf returns the first part of a secret that a report shows; its beginning is public.
func shownOf(report, secret string) string {
	const public, part = 8, 8
	for i := public; i+part <= len(secret); i++ {
		piece := secret[i : i+part]
		if !strings.Contains(piece, "---") && !strings.Contains(piece, "  ") && !strings.Contains(secret[:i], "-----END") &&
			strings.Contains(report, piece) {
			return piece
		}
	}

	return ""
}

func holds(a *txtar.Archive, mark string) bool {
	for _, f := range a.Files {
		if strings.Contains(string(f.Data), mark) {
			return true
		}
	}

	return false
}
