package remote

import "strings"

// leastSecret is how long a key is at least that is looked for in texts: shorter ones are in many a text by chance.
const leastSecret = 8

// instead is what is where a key was.
const instead = "[key]"

// Hide is text without the key: a server may write back what it was sent.
func (k Key) Hide(text string) string {
	if len(k.Secret) < leastSecret || !strings.Contains(text, k.Secret) {
		return text
	}

	return strings.ReplaceAll(text, k.Secret, instead)
}

// Clean is text of a server as an error shows it, without the key. It is hidden first: what is cut off later may end in the key.
func (k Key) Clean(text string, limit int) string { return Clean(k.Hide(text), limit) }

// Veil hides a key in a text that comes in parts. What may be the beginning of the key waits for the next part.
type Veil struct {
	Key  Key
	held string
}

// Part returns what can be shown after one more part.
func (v *Veil) Part(text string) string {
	if len(v.Key.Secret) < leastSecret {
		return text
	}
	text = v.Key.Hide(v.held + text)
	from := max(0, len(text)-len(v.Key.Secret)+1)
	for !strings.HasPrefix(v.Key.Secret, text[from:]) { // nothing at all is a beginning, too
		from++
		if next := strings.IndexByte(text[from:], v.Key.Secret[0]); next >= 0 {
			from += next
		} else {
			from = len(text)
		}
	}
	v.held = text[from:]

	return text[:from]
}

// Rest returns what is still held at the end.
func (v *Veil) Rest() string {
	held := v.held
	v.held = ""

	return held
}
