package secret

import (
	"regexp"
	"strings"
	"sync"
)

// rule is the pattern of a kind of secret.
type rule struct {
	kind Kind
	// prefixes are the possible prefixes, separated by |.
	prefixes string
	// rest matches the text after the prefix. It is compiled when a text has the prefix.
	rest func() *regexp.Regexp
	// judge reports whether the text after the prefix is a real secret.
	judge func(rest []byte) bool
}

// longest is the maximum length of a secret in bytes. The longest ones are private keys.
const longest = 16 << 10

// beginning is a prefix of the secrets of a rule.
type beginning struct {
	*rule
	prefix []byte
}

// match returns the length of the rule's pattern at the beginning of text, and whether it is a
// secret.
func (b beginning) match(text []byte) (size int, ok bool) {
	rest := text[len(b.prefix):min(len(text), longest)]
	end := b.rest().FindIndex(rest)
	if end == nil {
		return 0, false
	}
	isCutOff := end[1] < len(rest) && isAlphanumeric(rest[end[1]])
	if isCutOff {
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

// newRule returns a rule for secrets with a random part after the prefix.
func newRule(name, prefixes, rest string) rule {
	return rule{
		kind: Kind{Name: name}, prefixes: prefixes, judge: isRandom,
		rest: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^(?:" + rest + ")") }),
	}
}

// newModelRule returns a rule for keys of a provider of models, with their environment variable.
func newModelRule(name, variable, prefixes, rest string) rule {
	r := newRule(name, prefixes, rest)
	r.kind.Variable = variable

	return r
}

// newJudgedRule returns a rule with a special judge.
func newJudgedRule(name, prefixes, rest string, judge func([]byte) bool) rule {
	r := newRule(name, prefixes, rest)
	r.judge = judge

	return r
}

// The alphabets of keys.
const (
	word  = `[A-Za-z0-9]`
	plain = `[A-Za-z0-9_-]`
	hex   = `[0-9a-f]`
	// keyLine matches after BEGIN and END in the first and the last line of a private key.
	keyLine = `[A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----`
)

// rules are tried in this order: specific rules come first.
var rules = []rule{
	// Providers of models.
	newModelRule("an Anthropic key", "ANTHROPIC_API_KEY", "sk-ant-", plain+`{20,}`),
	newModelRule("an OpenAI key", "OPENAI_API_KEY", "sk-proj-|sk-svcacct-|sk-admin-", plain+`{20,}`),
	newRule("an OpenRouter key", "sk-or-", `(?:v1-)?`+hex+`{20,}`),
	newRule("a Langfuse key", "sk-lf-", `[0-9a-f-]{36}`),
	newModelRule("an OpenAI key", "OPENAI_API_KEY", "sk-", word+`+T3BlbkFJ`+word+`+`),
	newRule("an API key", "sk-", word+`{20,}`), // of the many servers with the API of OpenAI
	newModelRule("a Google key", "GEMINI_API_KEY", "AIza", plain+`{35}`),
	newRule("a Groq key", "gsk_", word+`{32,}`),
	newRule("a Hugging Face token", "hf_", word+`{30,}`),
	newRule("a Jina key", "jina_", plain+`{32,}`),
	newRule("a Replicate token", "r8_", word+`{37}`),
	newRule("an xAI key", "xai-", word+`{40,}`),
	newRule("a Perplexity key", "pplx-", word+`{40,}`),
	newRule("an NVIDIA key", "nvapi-", plain+`{40,}`),
	newRule("a Cerebras key", "csk-", word+`{40,}`),
	newRule("a Fireworks key", "fw_", word+`{20,}`),
	newRule("a Together key", "tgp_v1_", plain+`{40,}`),
	newRule("a Voyage key", "pa-", plain+`{43}`),
	newRule("a Tavily key", "tvly-", plain+`{20,}`),
	newRule("a Firecrawl key", "fc-", hex+`{32}`),
	newRule("a LangSmith key", "lsv2_", `(?:pt|sk)_`+hex+`{32}_`+hex+`{10}`),
	newRule("a Pinecone key", "pcsk_", `[A-Za-z0-9_]{40,}`),

	// Clouds.
	newJudgedRule("an AWS access key", "AKIA|ASIA", `[A-Z0-9]{16}`, isVaried),
	newRule("an Amazon Bedrock key", "ABSK", `[A-Za-z0-9+/]{60,}={0,2}`),
	newRule("a Google client secret", "GOCSPX-", plain+`{28}`),
	newRule("a Google access token", "ya29.", plain+`{40,}`),
	newRule("a DigitalOcean token", "dop_v1_|doo_v1_", hex+`{64}`),
	newRule("a Databricks token", "dapi", hex+`{32}`),
	newRule("a Supabase token", "sbp_", hex+`{40}`),
	newRule("a Supabase key", "sb_secret_", plain+`{20,}`),
	newRule("a Vault token", "hvs.", plain+`{24,}`),

	// Code and packages.
	newRule("a GitHub token", "ghp_|gho_|ghu_|ghs_|ghr_", word+`{36,}`),
	newRule("a GitHub token", "github_pat_", `[A-Za-z0-9_]{36,}`),
	newRule("a GitLab token", "glpat-|gldt-|glrt-", plain+`{20,}`),
	newRule("an npm token", "npm_", word+`{36}`),
	newRule("a PyPI token", "pypi-", plain+`{60,}`),
	newRule("a Docker token", "dckr_pat_", plain+`{27}`),
	newRule("an Atlassian token", "ATATT3", `[A-Za-z0-9_=-]{60,}`),
	newRule("a Linear key", "lin_api_", word+`{40}`),
	newRule("a Postman key", "PMAK-", hex+`{24}-`+hex+`{34}`),
	newRule("a Grafana token", "glsa_", word+`{32}_[0-9A-Fa-f]{8}`),
	newJudgedRule("a New Relic key", "NRAK-", `[A-Z0-9]{27}`, isVaried),

	// Messages, payments, shops.
	newRule("a Slack token", "xoxb-|xoxp-|xoxa-|xoxr-|xoxs-|xoxe-", `[A-Za-z0-9-]{20,}`),
	newRule("a Slack token", "xoxe.", `[A-Za-z0-9.-]{20,}`),
	newRule("a Slack token", "xapp-", `[A-Za-z0-9-]{20,}`),
	newRule("a Slack webhook", "hooks.slack.com/services/", `T[A-Z0-9]+/B[A-Z0-9]+/`+word+`{20,}`),
	newRule("a Discord webhook", "discord.com/api/webhooks/", `[0-9]{17,}/`+plain+`{60,}`),
	newRule("a Stripe key", "sk_live_|sk_test_|rk_live_|rk_test_", word+`{16,}`),
	newRule("a Stripe secret", "whsec_", word+`{32,}`),
	newRule("a Twilio key", "SK", hex+`{32}`),
	newRule("a SendGrid key", "SG.", plain+`{22}\.`+plain+`{43}`),
	newRule("a Mailgun key", "key-", hex+`{32}`),
	newRule("a Shopify token", "shpat_", `[0-9A-Fa-f]{32}`),
	newRule("a Shopify secret", "shpss_", `[0-9A-Fa-f]{32}`),
	newRule("a Notion token", "ntn_", word+`{40,}`),
	newRule("a Notion token", "secret_", word+`{43}`),

	// Formats that many providers use.
	newJudgedRule("a JSON Web Token", "eyJ", plain+`{10,}\.eyJ`+plain+`{10,}\.`+plain+`{10,}`, isWebToken),
	newJudgedRule("a private key", "-----BEGIN ", keyLine+`(?:[^-]|-[^-]){64,}(?:-----END `+keyLine+`)?`, isKeyBlock),
	newRule("an age key", "AGE-SECRET-KEY-1", `[0-9A-Z]{58}`),
}
