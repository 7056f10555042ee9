package secret

import (
	"bytes"
	"regexp"
	"strings"
)

// matchAfterName returns the secret after a name and the colon or equals sign at i, as in `api_key:
// …`, or a secret with the colon inside an address or a token. It returns nil if there is none.
func matchAfterName(text []byte, i int) *Match {
	if bytes.HasPrefix(text[i:], []byte("://")) {
		return matchAddress(text, i+len("://"))
	}
	if m := matchBotToken(text, i); m != nil {
		return m
	}
	var letters [longestName]byte
	kind, ok := kindOfName(letters[nameBefore(text, i, &letters):])
	if !ok {
		return nil
	}
	at := behind.FindSubmatchIndex(text[i:min(len(text), i+longestValue)])
	start, end := i+at[2], i+at[3]
	value := text[start:end]
	isCall := end < len(text) && (text[end] == '(' || text[end] == '[') // a function or a list in a program
	if len(value) == 0 || isCall || public.Match(value) {
		return nil
	}
	if !isRandom(value) || !hasLongPart(value) {
		return nil
	}
	if len(byFirst[value[0]]) > 0 {
		if m, _ := matchRule(text, start); m != nil {
			return m // its own pattern is more specific
		}
	}

	return &Match{Start: start, End: end, Kind: kind}
}

// names are names of secrets, without hyphens and underscores. A longer name with such an ending
// counts, too: OPENAI_API_KEY, githubToken.
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

// openNames have the ending of a secret's name, but are positions in a list.
var openNames = []string{"pagetoken", "nexttoken", "continuationtoken", "synctoken", "canceltoken"}

func kindOfName(name []byte) (Kind, bool) {
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

// longestName is the number of bytes of a name that are read, more than any listed name needs.
const longestName = 32

// nameBefore writes the end of the name before the character at i to the end of name, in lower case
// and without hyphens, underscores and quotes. It returns the start of the name there.
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
			name[at] = c | 0x20 // digits have this bit, and it makes a letter lower case
		default:
			return at
		}
	}

	return at
}

// longestValue is the number of bytes of a value that are read.
const longestValue = 1024

// behind matches a value and the characters before it.
var behind = regexp.MustCompile("^.[ \t=>\"'`\\\\]*(?:[Bb]earer |[Bb]asic )*([A-Za-z0-9_+/=.~-]*)")

// hasLongPart reports whether a value is more than short names, a path or a version: one part of it
// is as long as the shortest keys, and has digits.
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

	isBase64 := bytes.ContainsAny(value, "+/") && !bytes.ContainsAny(value, ".-_")

	return isBase64 && len(value) >= 2*leastLength && bytes.ContainsAny(value, "0123456789")
}

// public matches a checksum with its algorithm, or the address of a contract, which is also called
// token.
var public = regexp.MustCompile(`^(?:sha(?:1|256|384|512)-|0x.{40}$)`)

// userInAddress matches the user of an address and the password after it.
var userInAddress = regexp.MustCompile("^[^\x00- /\"'`<>{}$@:]*:([^\x00- /\"'`<>{}$@]*)@")

// matchAddress returns the password in an address whose host or user begins at start.
func matchAddress(text []byte, start int) *Match {
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

// longestHost is the number of bytes of a host that are read.
const longestHost = 256

// exampleHost matches a host in a domain that is reserved for examples.
var exampleHost = regexp.MustCompile(`^(?i)(?:[a-z0-9-]+\.)*(?:example\.(?:com|org|net)|(?:example|test|invalid))(?:[^a-z0-9.-]|$)`)

// isPassword reports whether text is a likely password, and not the word password.
func isPassword(text []byte) bool {
	const leastLength, leastBits = 8, 2.5
	hasDigit := bytes.ContainsAny(text, "0123456789")
	hasLetter := bytes.ContainsFunc(text, func(r rune) bool { return r >= 'A' })
	if len(text) < leastLength || !hasDigit || !hasLetter || entropy(text) < leastBits {
		return false
	}

	return !isSequence(text) && !isPlaceholder(text) && !bytes.Contains(bytes.ToLower(text), []byte("pass"))
}

// botBody matches the part after the number in the token of a Telegram bot.
var botBody = regexp.MustCompile(`^.(AA[A-Za-z0-9_-]{33})(?:[^A-Za-z0-9_-]|$)`)

// matchBotToken returns the token of a Telegram bot around the colon at i: the number of the bot
// and 35 characters.
func matchBotToken(text []byte, i int) *Match {
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
