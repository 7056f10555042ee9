package bearer

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/errs"
)

// leastToken is how long a token has to be. Shorter ones can be guessed.
const leastToken = 16

// Credentials say who has which token. Of tokens only their hashes are kept, so that comparing takes the same time for all of
// them, however long they are.
type Credentials []credential

type credential struct {
	name string
	hash [sha256.Size]byte
}

// Parse reads words of the form NAME=TOKEN, separated by spaces or line breaks; what follows # at the beginning of a
// line is for people. where names the text in mistakes, which never show a token. Errors: CredentialError.
func Parse(where, text string) (Credentials, error) {
	var list Credentials
	for number, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, word := range strings.Fields(line) {
			c, problem := parseCredential(word)
			if problem == "" && slices.ContainsFunc(list, func(other credential) bool { return other.hash == c.hash }) {
				problem = "two names have the same token"
			}
			if problem != "" {
				return nil, mistake(where, number+1, problem)
			}
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return nil, mistake(where, 1, "there is no NAME=TOKEN")
	}

	return list, nil
}

// mistake is one in a line of a list of credentials.
func mistake(where string, line int, problem string) error {
	return &errs.Coded{Code: "CredentialError", Text: fmt.Sprintf("%s:%d: %s", where, line, problem)}
}

func parseCredential(word string) (c credential, problem string) {
	name, token, found := strings.Cut(word, "=")
	switch {
	case !found || name == "":
		return credential{}, "a line is NAME=TOKEN"
	case name == "*":
		return credential{}, "* means everyone in access rules and cannot be a name"
	case len(token) < leastToken:
		return credential{}, fmt.Sprintf("the token of %s is shorter than %d bytes", name, leastToken)
	}

	return credential{name: name, hash: sha256.Sum256([]byte(token))}, ""
}

// Caller is [Credentials.Holder]; nil where there are no credentials, and no caller needs any.
func (l Credentials) Caller() func(token string) (name string, ok bool) {
	if len(l) == 0 {
		return nil
	}

	return l.Holder
}

// Holder returns the name of the caller who has the token. Every credential is compared, whichever it is, and each in constant time.
func (l Credentials) Holder(token string) (name string, ok bool) {
	hash := sha256.Sum256([]byte(token))
	at := -1
	for i := range l {
		at = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(l[i].hash[:], hash[:]), i, at)
	}
	if at < 0 {
		return "", false
	}

	return l[at].name, true
}
