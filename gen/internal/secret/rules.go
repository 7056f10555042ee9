package secret

import (
	"regexp"
	"strings"
	"sync"
)

// rule is the shape of a kind of secret.
type rule struct {
	kind Kind
	// prefixes are how they begin, with a | between them.
	prefixes string
	// rest matches what follows the prefix; it is compiled when a text has the prefix.
	rest func() *regexp.Regexp
	// judge reports whether what follows the prefix is a real one.
	judge func(rest []byte) bool
}

// longest is how many bytes of a text are looked at for one secret: the longest are private keys.
const longest = 16 << 10

// beginning is a prefix of the secrets of a rule.
type beginning struct {
	*rule
	prefix []byte
}

// match returns how much at the beginning of text, which has the prefix, has the rule's shape, and whether that is a secret.
func (b beginning) match(text []byte) (size int, ok bool) {
	rest := text[len(b.prefix):min(len(text), longest)]
	end := b.rest().FindIndex(rest)
	if end == nil || end[1] < len(rest) && isAlphanumeric(rest[end[1]]) {
		return 0, false
	}

	return len(b.prefix) + end[1], b.judge(rest[:end[1]])
}

// byFirst are the beginnings by their first byte, in the order of their rules.
var byFirst = func() (table [256][]beginning) {
	for i := range rules {
		for prefix := range strings.SplitSeq(rules[i].prefixes, "|") {
			table[prefix[0]] = append(table[prefix[0]], beginning{&rules[i], []byte(prefix)})
		}
	}

	return table
}()

// shape is a rule for secrets that are random behind their prefix.
func shape(name, prefixes, rest string) rule {
	return rule{
		kind: Kind{Name: name}, prefixes: prefixes, judge: isRandom,
		rest: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^(?:" + rest + ")") }),
	}
}

// model is a shape of a key of a provider of models, and the variable in which agentc expects it.
func model(name, variable, prefixes, rest string) rule {
	r := shape(name, prefixes, rest)
	r.kind.Variable = variable

	return r
}

// judged is a shape with a judge of its own.
func judged(name, prefixes, rest string, judge func([]byte) bool) rule {
	r := shape(name, prefixes, rest)
	r.judge = judge

	return r
}

// The alphabets in which keys are written.
const (
	word  = `[A-Za-z0-9]`
	plain = `[A-Za-z0-9_-]`
	hex   = `[0-9a-f]`
	// keyLine is what is behind BEGIN and END in the first and the last line of a private key.
	keyLine = `[A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----`
)

// rules are tried in this order: what is more specific is first.
var rules = []rule{
	// Providers of models.
	model("an Anthropic key", "ANTHROPIC_API_KEY", "sk-ant-", plain+`{20,}`),
	model("an OpenAI key", "OPENAI_API_KEY", "sk-proj-|sk-svcacct-|sk-admin-", plain+`{20,}`),
	shape("an OpenRouter key", "sk-or-", `(?:v1-)?`+hex+`{20,}`),
	shape("a Langfuse key", "sk-lf-", `[0-9a-f-]{36}`),
	model("an OpenAI key", "OPENAI_API_KEY", "sk-", word+`+T3BlbkFJ`+word+`+`),
	shape("an API key", "sk-", word+`{20,}`), // of the many who serve what OpenAI serves
	model("a Google key", "GEMINI_API_KEY", "AIza", plain+`{35}`),
	shape("a Groq key", "gsk_", word+`{32,}`),
	shape("a Hugging Face token", "hf_", word+`{30,}`),
	shape("a Jina key", "jina_", plain+`{32,}`),
	shape("a Replicate token", "r8_", word+`{37}`),
	shape("an xAI key", "xai-", word+`{40,}`),
	shape("a Perplexity key", "pplx-", word+`{40,}`),
	shape("an NVIDIA key", "nvapi-", plain+`{40,}`),
	shape("a Cerebras key", "csk-", word+`{40,}`),
	shape("a Fireworks key", "fw_", word+`{20,}`),
	shape("a Together key", "tgp_v1_", plain+`{40,}`),
	shape("a Voyage key", "pa-", plain+`{43}`),
	shape("a Tavily key", "tvly-", plain+`{20,}`),
	shape("a Firecrawl key", "fc-", hex+`{32}`),
	shape("a LangSmith key", "lsv2_", `(?:pt|sk)_`+hex+`{32}_`+hex+`{10}`),
	shape("a Pinecone key", "pcsk_", `[A-Za-z0-9_]{40,}`),

	// Clouds.
	judged("an AWS access key", "AKIA|ASIA", `[A-Z0-9]{16}`, isVaried),
	shape("an Amazon Bedrock key", "ABSK", `[A-Za-z0-9+/]{60,}={0,2}`),
	shape("a Google client secret", "GOCSPX-", plain+`{28}`),
	shape("a Google access token", "ya29.", plain+`{40,}`),
	shape("a DigitalOcean token", "dop_v1_|doo_v1_", hex+`{64}`),
	shape("a Databricks token", "dapi", hex+`{32}`),
	shape("a Supabase token", "sbp_", hex+`{40}`),
	shape("a Supabase key", "sb_secret_", plain+`{20,}`),
	shape("a Vault token", "hvs.", plain+`{24,}`),

	// Code and packages.
	shape("a GitHub token", "ghp_|gho_|ghu_|ghs_|ghr_", word+`{36,}`),
	shape("a GitHub token", "github_pat_", `[A-Za-z0-9_]{36,}`),
	shape("a GitLab token", "glpat-|gldt-|glrt-", plain+`{20,}`),
	shape("an npm token", "npm_", word+`{36}`),
	shape("a PyPI token", "pypi-", plain+`{60,}`),
	shape("a Docker token", "dckr_pat_", plain+`{27}`),
	shape("an Atlassian token", "ATATT3", `[A-Za-z0-9_=-]{60,}`),
	shape("a Linear key", "lin_api_", word+`{40}`),
	shape("a Postman key", "PMAK-", hex+`{24}-`+hex+`{34}`),
	shape("a Grafana token", "glsa_", word+`{32}_[0-9A-Fa-f]{8}`),
	judged("a New Relic key", "NRAK-", `[A-Z0-9]{27}`, isVaried),

	// Messages, payments, shops.
	shape("a Slack token", "xoxb-|xoxp-|xoxa-|xoxr-|xoxs-|xoxe-", `[A-Za-z0-9-]{20,}`),
	shape("a Slack token", "xoxe.", `[A-Za-z0-9.-]{20,}`),
	shape("a Slack token", "xapp-", `[A-Za-z0-9-]{20,}`),
	shape("a Slack webhook", "hooks.slack.com/services/", `T[A-Z0-9]+/B[A-Z0-9]+/`+word+`{20,}`),
	shape("a Discord webhook", "discord.com/api/webhooks/", `[0-9]{17,}/`+plain+`{60,}`),
	shape("a Stripe key", "sk_live_|sk_test_|rk_live_|rk_test_", word+`{16,}`),
	shape("a Stripe secret", "whsec_", word+`{32,}`),
	shape("a Twilio key", "SK", hex+`{32}`),
	shape("a SendGrid key", "SG.", plain+`{22}\.`+plain+`{43}`),
	shape("a Mailgun key", "key-", hex+`{32}`),
	shape("a Shopify token", "shpat_", `[0-9A-Fa-f]{32}`),
	shape("a Shopify secret", "shpss_", `[0-9A-Fa-f]{32}`),
	shape("a Notion token", "ntn_", word+`{40,}`),
	shape("a Notion token", "secret_", word+`{43}`),

	// What no single provider gives.
	judged("a JSON Web Token", "eyJ", plain+`{10,}\.eyJ`+plain+`{10,}\.`+plain+`{10,}`, isWebToken),
	judged("a private key", "-----BEGIN ", keyLine+`(?:[^-]|-[^-]){64,}(?:-----END `+keyLine+`)?`, isKeyBlock),
	shape("an age key", "AGE-SECRET-KEY-1", `[0-9A-Z]{58}`),
}
