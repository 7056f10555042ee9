package secret

import (
	"bytes"
	"regexp"
	"strings"
)

// introduced returns the secret that is given to a name before the colon or the equals sign at i, as in `api_key: …`, or
// that is part of an address or a token with a colon in it; nil if there is none.
func introduced(text []byte, i int) *Match {
	if bytes.HasPrefix(text[i:], []byte("://")) {
		return inAddress(text, i+len("://"))
	}
	if m := botToken(text, i); m != nil {
		return m
	}
	var letters [longestName]byte
	kind, ok := kindOf(letters[nameBefore(text, i, &letters):])
	if !ok {
		return nil
	}
	at := behind.FindSubmatchIndex(text[i:min(len(text), i+longestValue)])
	start, end := i+at[2], i+at[3]
	value := text[start:end]
	isCode := end < len(text) && (text[end] == '(' || text[end] == '[') // a name in a program: of a function, or of a list
	if len(value) == 0 || !isRandom(value) || !hasLongPart(value) || public.Match(value) || isCode {
		return nil
	}
	if len(byFirst[value[0]]) > 0 {
		if m, _ := shaped(text, start); m != nil {
			return m // its own shape says more
		}
	}

	return &Match{Start: start, End: end, Kind: kind}
}

// names are the names to which secrets are given, without hyphens and underscores. A longer name that ends with one counts
// too: OPENAI_API_KEY, githubToken.
var names = []struct {
	name string
	kind string
}{
	{"secretaccesskey", "an AWS secret key"},
	{"sharedaccesskey", "an Azure key"},
	{"accountkey", "an Azure key"},
	{"apikey", "a key"},
	{"accesskey", "a key"},
	{"secretkey", "a key"},
	{"privatekey", "a key"},
	{"subscriptionkey", "a key"},
	{"token", "a token"},
	{"authorization", "a token"},
	{"secret", "a secret"},
	{"password", "a password"},
	{"passwd", "a password"},
}

// openNames end like names of secrets and are none: what is there says where a list goes on.
var openNames = []string{"pagetoken", "nexttoken", "continuationtoken", "synctoken", "canceltoken"}

func kindOf(name []byte) (Kind, bool) {
	for _, open := range openNames {
		if bytes.HasSuffix(name, []byte(open)) {
			return Kind{}, false
		}
	}
	for _, n := range names {
		if len(name) >= len(n.name) && string(name[len(name)-len(n.name):]) == n.name {
			return Kind{Name: n.kind}, true
		}
	}

	return Kind{}, false
}

// longestName is how far a name is read: further than the longest that counts, with its hyphens.
const longestName = 32

// nameBefore writes the end of the name before the sign at i, in small letters, without hyphens, underscores and quotes, to the end of
// name, and returns where it begins there.
func nameBefore(text []byte, i int, name *[longestName]byte) int {
	for i > 0 && strings.IndexByte(" \t\"'`", text[i-1]) >= 0 {
		i--
	}
	at := len(name)
	for ; i > 0 && at > 0; i-- {
		switch c := text[i-1]; {
		case c == '_' || c == '-':
		case isAlphanumeric(c):
			at--
			name[at] = c | 0x20 // digits have this bit, and it makes a letter small
		default:
			return at
		}
	}

	return at
}

// longestValue is how far a value is read that has no shape of its own.
const longestValue = 1024

// behind is what is behind a sign before a value that it introduces, and the value.
var behind = regexp.MustCompile("^.[ \t=>\"'`\\\\]*(?:[Bb]earer |[Bb]asic )*([A-Za-z0-9_+/=.~-]*)")

// hasLongPart reports whether a value is more than names with hyphens or dots between them, a path or a version: one part of
// it is as long as the shortest keys, and has digits.
func hasLongPart(value []byte) bool {
	const leastLength, leastDigits = 20, 2
	for _, part := range bytes.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("_-/.~", r) }) {
		digits := 0
		for _, c := range part {
			if '0' <= c && c <= '9' {
				digits++
			}
		}
		if digits >= leastDigits && len(part) >= leastLength {
			return true
		}
	}

	return len(value) >= 2*leastLength && bytes.ContainsAny(value, "+/") && bytes.ContainsAny(value, "0123456789") &&
		!bytes.ContainsAny(value, ".-_")
}

// public is a checksum that names its algorithm, or the address of a contract, which is called a token too.
var public = regexp.MustCompile(`^(?:sha(?:1|256|384|512)-|0x.{40}$)`)

// userInAddress is the user of an address and the password behind it.
var userInAddress = regexp.MustCompile("^[^\x00- /\"'`<>{}$@:]*:([^\x00- /\"'`<>{}$@]*)@")

// inAddress returns the password of an address, whose host or user begins at start.
func inAddress(text []byte, start int) *Match {
	const longestUser = 256
	at := userInAddress.FindSubmatchIndex(text[start:min(len(text), start+longestUser)])
	if at == nil {
		return nil
	}
	m := &Match{Start: start + at[2], End: start + at[3], Kind: Kind{Name: "a password"}}
	if host := text[m.End+1:]; !isPassword(text[m.Start:m.End]) || exampleHost.Match(host[:min(len(host), longestHost)]) {
		return nil
	}

	return m
}

// longestHost is how much of a host is looked at.
const longestHost = 256

// exampleHost is a host of a documentation: its domain is reserved for examples.
var exampleHost = regexp.MustCompile(`^(?i)(?:[a-z0-9-]+\.)*(?:example\.(?:com|org|net)|(?:example|test|invalid))(?:[^a-z0-9.-]|$)`)

// isPassword reports whether text is more than the word password.
func isPassword(text []byte) bool {
	const leastLength, leastBits = 8, 2.5
	digits, letters := bytes.ContainsAny(text, "0123456789"), bytes.ContainsFunc(text, func(r rune) bool { return r >= 'A' })

	return len(text) >= leastLength && digits && letters && entropy(text) >= leastBits &&
		!isRow(text) && !isPlaceholder(text) && !bytes.Contains(bytes.ToLower(text), []byte("pass"))
}

// botBody is what is behind the number in the token of a Telegram bot.
var botBody = regexp.MustCompile(`^.(AA[A-Za-z0-9_-]{33})(?:[^A-Za-z0-9_-]|$)`)

// botToken returns the token of a Telegram bot around the colon at i: the bot's number and 35 characters.
func botToken(text []byte, i int) *Match {
	start := i
	for start > 0 && '0' <= text[start-1] && text[start-1] <= '9' {
		start--
	}
	if i-start < 8 || i-start > 10 {
		return nil
	}
	body := botBody.FindSubmatchIndex(text[i:])
	if body == nil || !isRandom(text[i+body[2]:i+body[3]]) {
		return nil
	}

	return &Match{Start: start, End: i + body[3], Public: i + 1 - start, Kind: Kind{Name: "a Telegram token"}}
}
