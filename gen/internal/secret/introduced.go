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
	start, end := valueBehind(text, i)
	value := text[start:end]
	if len(value) == 0 || !isRandom(value) || !hasLongPart(value) || isPublic(value) || isCode(text[end:]) {
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
	for i > 0 && (text[i-1] == ' ' || text[i-1] == '\t' || isQuote(text[i-1])) {
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

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// longestValue is how long a value may be that has no shape of its own.
const longestValue = 1024

// valueBehind returns where the value is that follows the sign at i on its line.
func valueBehind(text []byte, i int) (start, end int) {
	start = i + 1
	for start < len(text) && strings.IndexByte(" \t=>\"'`\\", text[start]) >= 0 {
		start++
	}
	for _, scheme := range []string{"Bearer ", "bearer ", "Basic ", "basic "} {
		if bytes.HasPrefix(text[start:], []byte(scheme)) {
			start += len(scheme)
		}
	}
	end = start
	for end < len(text) && end-start < longestValue && isKeyByte(text[end]) {
		end++
	}

	return start, end
}

func isKeyByte(c byte) bool { return isAlphanumeric(c) || strings.IndexByte("_-+/=.~", c) >= 0 }

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

// isPublic reports whether a value is a checksum that names its algorithm, or the address of a contract, which is called a
// token too.
func isPublic(value []byte) bool {
	for _, algorithm := range []string{"sha1-", "sha256-", "sha384-", "sha512-"} {
		if bytes.HasPrefix(value, []byte(algorithm)) {
			return true
		}
	}
	const address = len("0x") + 40

	return bytes.HasPrefix(value, []byte("0x")) && len(value) == address
}

// isCode reports whether what is behind a value makes it a name in a program: of a function, or of a list.
func isCode(behind []byte) bool { return len(behind) > 0 && (behind[0] == '(' || behind[0] == '[') }

// inAddress returns the password of an address, whose host or user begins at start.
func inAddress(text []byte, start int) *Match {
	const longestUser = 256
	colon := -1
	for i := start; i < len(text) && i < start+longestUser; i++ {
		switch c := text[i]; {
		case c == ':' && colon < 0:
			colon = i
		case c == '@' && colon >= 0 && isPassword(text[colon+1:i]) && !exampleHost.Match(text[i+1:min(len(text), i+longestHost)]):
			return &Match{Start: colon + 1, End: i, Kind: Kind{Name: "a password"}}
		case c <= ' ' || strings.IndexByte("/\"'`<>{}$@", c) >= 0:
			return nil
		}
	}

	return nil
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

// botToken returns the token of a Telegram bot around the colon at i: the bot's number and 35 characters.
func botToken(text []byte, i int) *Match {
	const size = 35
	start := i
	for start > 0 && '0' <= text[start-1] && text[start-1] <= '9' {
		start--
	}
	end := i + 1
	for end < len(text) && end-i <= size+1 && (isAlphanumeric(text[end]) || text[end] == '_' || text[end] == '-') {
		end++
	}
	body := text[i+1 : end]
	if i-start < 8 || i-start > 10 || len(body) != size || !bytes.HasPrefix(body, []byte("AA")) || !isRandom(body) {
		return nil
	}

	return &Match{Start: start, End: end, Public: i + 1 - start, Kind: Kind{Name: "a Telegram token"}}
}
