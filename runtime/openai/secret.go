package openai

import "strings"

// leastSecret is how long a key is at least that is looked for in texts: shorter ones stand in many a text by chance.
const leastSecret = 8

// instead is what stands where a key was.
const instead = "[key]"

// hide is text without the key: a server may write back what it was sent.
func (k key) hide(text string) string {
	if len(k.secret) < leastSecret || !strings.Contains(text, k.secret) {
		return text
	}

	return strings.ReplaceAll(text, k.secret, instead)
}

// clean is text of a server as an error shows it, without the key. It is hidden first: what is cut off later may end in the key.
func (k key) clean(text string, limit int) string { return clean(k.hide(text), limit) }

// veil hides a key in a text that comes in parts. What may be the beginning of the key waits for the next part.
type veil struct {
	key  key
	held string
}

// part returns what can be shown after one more part.
func (v *veil) part(text string) string {
	if len(v.key.secret) < leastSecret {
		return text
	}
	text = v.key.hide(v.held + text)
	from := max(0, len(text)-len(v.key.secret)+1)
	for from < len(text) && !strings.HasPrefix(v.key.secret, text[from:]) {
		from++
	}
	v.held = text[from:]

	return text[:from]
}

// rest returns what is still held at the end.
func (v *veil) rest() string {
	held := v.held
	v.held = ""

	return held
}
