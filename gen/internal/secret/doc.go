// Package secret finds what looks like a key, a token or a password in a text.
//
// Input: bytes of any kind. Output: the places, each with what it looks like and how much of its beginning may be shown.
//
// The shapes are those that providers give their keys so that they can be found: a fixed beginning, an alphabet and a length.
// What has such a shape counts only if it is as random as a key is; placeholders (sk-xxxx, YOUR_KEY, ${KEY}, the examples of
// the providers' own documentation) are none. What has no shape of its own counts only behind a name such as api_key, and if
// it is long and random. There are larger sets of rules, but none of them is a small library: they come with the program
// that scans whole histories.
//
// Promises: one pass over the text, whatever is in it; no place is found twice; the places are in order.
package secret
