package secret_test

import (
	"encoding/base64"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/secret"
)

// The alphabets of keys.
const (
	word  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	hex   = "0123456789abcdef"
	upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

// fake returns n random characters. No key stands in this file as a whole, so that nobody who looks for keys finds one here.
func fake(r *rand.Rand, alphabet string, n int) string {
	text := make([]byte, n)
	for i := range text {
		text[i] = alphabet[r.IntN(len(alphabet))]
	}

	return string(text)
}

// fakes returns one secret of each kind by what it is.
func fakes(seed uint64) map[string][]string {
	r := rand.New(rand.NewPCG(seed, 1))
	w := func(n int) string { return fake(r, word, n) }
	h := func(n int) string { return fake(r, hex, n) }

	return map[string][]string{
		"an Anthropic key":       {"sk-" + "ant-api03-" + w(40) + "-" + w(40) + "-" + w(6) + "AA"},
		"an OpenAI key":          {"sk-" + "proj-" + w(60) + "_" + w(60), "sk-" + "svcacct-" + w(50), "sk-" + "admin-" + w(50), "sk-" + w(20) + "T3BlbkFJ" + w(20)},
		"an API key":             {"sk-" + h(32), "sk-" + w(48)},
		"an OpenRouter key":      {"sk-" + "or-v1-" + h(64)},
		"a Langfuse key":         {"sk-" + "lf-" + h(8) + "-" + h(4) + "-" + h(4) + "-" + h(4) + "-" + h(12)},
		"a Google key":           {"AI" + "zaSy" + w(33)},
		"a Groq key":             {"gsk" + "_" + w(52)},
		"a Hugging Face token":   {"hf" + "_" + w(34)},
		"a Jina key":             {"jina" + "_" + h(32) + w(28)},
		"a Replicate token":      {"r8" + "_" + w(37)},
		"an xAI key":             {"xai" + "-" + w(80)},
		"a Perplexity key":       {"pplx" + "-" + w(48)},
		"an NVIDIA key":          {"nvapi" + "-" + w(64)},
		"a Cerebras key":         {"csk" + "-" + w(48)},
		"a Fireworks key":        {"fw" + "_" + w(24)},
		"a Together key":         {"tgp" + "_v1_" + w(43)},
		"a Voyage key":           {"pa" + "-" + w(43)},
		"a Tavily key":           {"tvly" + "-" + w(32)},
		"a Firecrawl key":        {"fc" + "-" + h(32)},
		"a LangSmith key":        {"lsv2" + "_pt_" + h(32) + "_" + h(10)},
		"a Pinecone key":         {"pcsk" + "_" + w(60)},
		"an AWS access key":      {"AK" + "IA" + fake(r, upper, 16), "AS" + "IA" + fake(r, upper, 16)},
		"an Amazon Bedrock key":  {"AB" + "SK" + w(120) + "="},
		"a Google client secret": {"GOC" + "SPX-" + w(28)},
		"a Google access token":  {"ya" + "29." + w(60)},
		"a DigitalOcean token":   {"dop" + "_v1_" + h(64), "doo" + "_v1_" + h(64)},
		"a Databricks token":     {"da" + "pi" + h(32)},
		"a Supabase token":       {"sb" + "p_" + h(40)},
		"a Supabase key":         {"sb" + "_secret_" + w(32)},
		"a Vault token":          {"hv" + "s." + w(40)},
		"a GitHub token":         {"gh" + "p_" + w(36), "gh" + "o_" + w(36), "gh" + "u_" + w(36), "gh" + "s_" + w(36), "gh" + "r_" + w(36), "github" + "_pat_" + w(22) + "_" + w(59)},
		"a GitLab token":         {"gl" + "pat-" + w(20), "gl" + "dt-" + w(20), "gl" + "rt-" + w(20)},
		"an npm token":           {"np" + "m_" + w(36)},
		"a PyPI token":           {"py" + "pi-AgEIcHlwaS5vcmc" + w(80)},
		"a Docker token":         {"dckr" + "_pat_" + w(27)},
		"an Atlassian token":     {"ATA" + "TT3" + w(160) + "=" + w(8)},
		"a Linear key":           {"lin" + "_api_" + w(40)},
		"a Postman key":          {"PM" + "AK-" + h(24) + "-" + h(34)},
		"a Grafana token":        {"gl" + "sa_" + w(32) + "_" + h(8)},
		"a New Relic key":        {"NR" + "AK-" + fake(r, upper, 27)},
		"a Slack token": {"xox" + "b-" + fake(r, "0123456789", 12) + "-" + w(24), "xox" + "p-" + w(40), "xox" + "a-" + w(40), "xox" + "r-" + w(40),
			"xox" + "s-" + w(40), "xox" + "e-" + w(40), "xox" + "e.xoxp-1-" + w(60), "xa" + "pp-1-" + w(60)},
		"a Slack webhook":   {"hooks.slack" + ".com/services/T" + fake(r, upper, 8) + "/B" + fake(r, upper, 8) + "/" + w(24)},
		"a Discord webhook": {"discord" + ".com/api/webhooks/" + fake(r, "123456789", 18) + "/" + w(68)},
		"a Stripe key":      {"sk" + "_live_" + w(24), "sk" + "_test_" + w(24), "rk" + "_live_" + w(24), "rk" + "_test_" + w(24)},
		"a Stripe secret":   {"wh" + "sec_" + w(32)},
		"a Twilio key":      {"S" + "K" + h(32)},
		"a SendGrid key":    {"S" + "G." + w(22) + "." + w(43)},
		"a Mailgun key":     {"ke" + "y-" + h(32)},
		"a Shopify token":   {"shp" + "at_" + h(32)},
		"a Shopify secret":  {"shp" + "ss_" + h(32)},
		"a Notion token":    {"nt" + "n_" + w(46), "sec" + "ret_" + w(43)},
		"a JSON Web Token":  {encoded(`{"alg":"HS256","typ":"JWT"}`) + "." + encoded(`{"sub":"`+w(12)+`","iat":`+fake(r, "123456789", 10)+`}`) + "." + w(43)},
		"a private key":     {block(r, "RSA PRIVATE KEY"), block(r, "PRIVATE KEY"), block(r, "OPENSSH PRIVATE KEY"), block(r, "PGP PRIVATE KEY BLOCK")},
		"an age key":        {"AGE-SECRET" + "-KEY-1" + fake(r, upper, 58)},
		"a Telegram token":  {fake(r, "123456789", 9) + ":" + "AA" + w(33)},
	}
}

func encoded(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

// block returns a private key.
func block(r *rand.Rand, kind string) string {
	var b strings.Builder
	b.WriteString("-----BEGIN " + kind + "-----\n")
	for range 12 {
		b.WriteString(fake(r, word+"+/", 64) + "\n")
	}

	b.WriteString("-----END " + kind + "-----")

	return b.String()
}

// around are texts in which secrets stand; the secret takes the place of the @.
var around = []string{
	"@", "Use @ for it.", "key: @\n", "key: \"@\"\n", "`@`", "(@)", "[@](x)", "OPENAI_API_KEY=@\n", `{"text": "first\n@\nthird"}`,
	"curl -H 'Authorization: Bearer @' https://example.com", "a: b # @", "Größe:@", "@, and @ again", "@\x00", "https://x.com/?token=@",
}

func TestEachKindIsFoundInEachPlace(t *testing.T) {
	for seed := range uint64(20) {
		for kind, examples := range fakes(seed) {
			for _, example := range examples {
				for _, text := range around {
					if kind == "a private key" && strings.Contains(text, "\"@") {
						continue // in quotes it cannot stand on lines of its own
					}
					expect(t, kind, text, example)
				}
			}
		}
	}
}

func expect(t *testing.T, kind, around, example string) {
	t.Helper()
	text := strings.ReplaceAll(around, "@", example)
	found := secret.Find([]byte(text))
	if len(found) != strings.Count(around, "@") {
		t.Fatalf("%d found in %q, want %s", len(found), text, kind)
	}
	for _, m := range found {
		if got := text[m.Start:m.End]; m.Kind.Name != kind || strings.TrimSpace(got) != strings.TrimSpace(example) {
			t.Fatalf("found %s %q in %q, want %s", m.Kind.Name, got, text, kind)
		}
		if m.Public > 30 || m.Public > m.End-m.Start-16 {
			t.Errorf("%d bytes of %s are public", m.Public, kind)
		}
	}
}

// What has no shape of its own is found behind a name.
func TestIntroduced(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for kind, texts := range map[string][]string{
		"a key":             {"api_key: @", "MY_SERVICE_API_KEY = \"@\"", "{\"apiKey\": \"@\"}", "x-api-key: @", "api-key=@&x=1"},
		"a token":           {"token: @", "access_token='@'", "Authorization: Bearer @", "authorization: Basic @", "bot-token => @"},
		"a secret":          {"client_secret: \"@\""},
		"a password":        {"password: @", "DB_PASSWORD=@"},
		"an AWS secret key": {"aws_secret_access_key = @", "secretAccessKey: \"@\""},
		"an Azure key":      {"DefaultEndpointsProtocol=https;AccountName=x;AccountKey=@;EndpointSuffix=y", "SharedAccessKey=@"},
	} {
		for _, text := range texts {
			expect(t, kind, text, fake(r, word, 40))
		}
	}
	expect(t, "an AWS secret key", "aws_secret_access_key = @", fake(r, word+"/+", 40))
	const password = "k3Vq-91zpW"
	for _, text := range []string{"postgres://app:" + password + "@db/x", "a redis://:" + password + "@localhost:6379", "(https://me:" + password + "@x.com)",
		"https://me:" + password + "@example.com.evil.io", "https://me:" + password + "@contest"} {
		found := secret.Find([]byte(text))
		if len(found) != 1 || text[found[0].Start:found[0].End] != password || found[0].Kind.Name != "a password" {
			t.Errorf("%v in %q", found, text)
		}
	}
}

// A placeholder is no secret, and neither is an ordinary text that begins like one.
func TestNothingIsFound(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, text := range []string{
		"", ":", "=", "sk-", "sk-...", "sk-xxxx", "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "sk-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX",
		"sk-proj-...", "sk-proj-************************", "sk-ant-api03-...", "sk-ant-<your key here, with all its letters>",
		"sk-ant-your-key-goes-here-1234567890", "sk-1234567890abcdef1234567890abcdef", "sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD",
		"sk-0000000000000000000000000000000000000000", "sk-aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3",
		"YOUR_KEY", "api_key: YOUR_API_KEY", "api_key: your-api-key-0123456789-goes-here", "${OPENAI_API_KEY}", "api_key: ${OPENAI_API_KEY}",
		"OPENAI_API_KEY=$OPENAI_API_KEY", "api_key: {{ env.OPENAI_API_KEY }}", "api_key: <the key>", "api_key: os.environ[\"OPENAI_API_KEY\"]",
		"AKIA" + "IOSFODNN7EXAMPLE", "aws_secret_access_key = wJalrXUtnFEMI" + "/K7MDENG/bPxRfiCYEXAMPLEKEY",
		"AKIA" + "XXXXXXXXXXXXXXXX", "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		"task-" + fake(r, word, 40), "risk-assessment-of-the-whole-programme-2024", "desk-" + fake(r, hex, 32), "ask_" + fake(r, word, 40),
		"hf_hub_download_and_cache_of_the_model", "hf_transformers", "gsk_and_others", "key-value-stores-in-general-and-others",
		"-----BEGIN PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----",
		"If a text holds -----BEGIN PRIVATE KEY----- then refuse it, say why, and do not read what stands below that line at all.",
		"-----BEGIN PUBLIC KEY-----\n" + fake(r, word, 200) + "\n-----END PUBLIC KEY-----",
		"-----BEGIN CERTIFICATE-----\n" + fake(r, word, 200) + "\n-----END CERTIFICATE-----",
		encoded(`{"alg":"HS256","typ":"JWT"}`) + "." + encoded(`{"sub":"1234567890","name":"John Doe","iat":1516239022}`) + "." + fake(r, word, 43),
		"token: 123e4567-e89b-12d3-a456-426614174000", "token: next-page", "max_tokens: 4096", "tokens: 128000", "password: hunter2",
		"password: the-password-of-the-day-2024", "password: \"\"", "secret: true", "sha256: " + fake(r, hex, 64), "commit " + fake(r, hex, 40),
		"h1:" + fake(r, word, 43) + "=", "name: anthropic:claude-opus-4-6", "claude-haiku-4-5-20251001", "gpt-4o-mini-2024-07-18",
		"postgres://user:password@localhost/db", "postgres://user:pass@localhost/db", "postgres://$USER:$PASSWORD@localhost/db",
		"postgres://user:<password>@localhost/db", "https://example.com:8080/a@b", "https://example.com/x:y@z", "mailto:a@b.c",
		"see https://example.com/docs/api_key=and/other/things/2024/index.html", "token: /srv/data/2024/01/31/part-000123.parquet",
		"page_token = " + fake(r, word, 40), "nextPageToken: " + fake(r, word, 40), "token: 0x" + fake(r, hex, 40),
		"token: sha512-" + fake(r, word, 86) + "==", "session_token = getTheSessionToken2025FromRequest()", "sk_test_" + "4eC39HqLyjWDarjtT1zdp7dc",
		"https://me:k3Vq-91zpW@example.com/x", "postgres://app:k3Vq-91zpW@db.example.org:5432", "https://me:k3Vq-91zpW@host.test",
		"finish(key=\"good-enough\", value=\"…\")", "12:30", "a: b", "x::y", "http://", "12345678:AA", "key: " + strings.Repeat("ab", 40),
		"AIza", "AIzaShort", "SK" + strings.Repeat("0", 32), "SKU-1234567890", "SG.", "eyJ", "eyJhbGciOiJub25l", "password=" + strings.Repeat("a1", 20),
	} {
		for _, around := range []string{"@", "Write @ there.", "x: \"@\""} {
			whole := strings.ReplaceAll(around, "@", text)
			for _, m := range secret.Find([]byte(whole)) {
				t.Errorf("%s is found in %q: %q", m.Kind.Name, whole, whole[m.Start:m.End])
			}
		}
	}
}

var isText = map[string]bool{".md": true, ".yaml": true, ".json": true, ".sum": true, ".toml": true}

// Nothing is found in what this repository itself says, but where it shows what such a finding is.
func TestOwnTexts(t *testing.T) {
	files := 0
	err := filepath.WalkDir("../../..", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !isText[filepath.Ext(path)] || strings.Contains(path, "gen/explain/") || strings.Contains(path, "/prompt-secret/") {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		for _, m := range secret.Find(content) {
			t.Errorf("%s: %s: %q", path, m.Kind.Name, content[m.Start:m.End])
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Errorf("%d files: %v", files, err)
	}
}

func FuzzFind(f *testing.F) {
	for _, examples := range fakes(1) {
		f.Add([]byte("key: " + examples[0] + "\n"))
	}
	f.Add([]byte("postgres://a:b@c token=: \x00 ://:@ -----BEGIN "))
	f.Fuzz(func(t *testing.T, text []byte) {
		last := 0
		for _, m := range secret.Find(text) {
			if m.Start < last || m.End <= m.Start || m.End > len(text) || m.Public < 0 || m.Public >= m.End-m.Start || m.Kind.Name == "" {
				t.Fatalf("%+v in %q", m, text)
			}
			last = m.End
		}
	})
}

// A text that begins like a secret everywhere takes no longer than its size says.
func TestHostileTexts(t *testing.T) {
	for _, part := range []string{"sk-proj-", "token=", "-----BEGIN ", "://a:", "eyJ", "1", "\\n", ":", "=", "AKIA", "sk-", "a-", "\"", " :"} {
		secret.Find([]byte(strings.Repeat(part, 1<<20/len(part))))
	}
}

func BenchmarkFind(b *testing.B) {
	text := []byte(strings.Repeat("You write short texts: a toast, a notice. Call finish(key=\"done\", value=<the text alone>).\n  - good: done\n", 1000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		secret.Find(text)
	}
}
