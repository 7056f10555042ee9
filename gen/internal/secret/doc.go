// Package secret finds likely keys, tokens and passwords in a text.
//
// Input: bytes. Output: matches, each with its kind and the length of the prefix that may be shown.
//
// The patterns are those by which providers make their keys recognizable: a fixed prefix, an
// alphabet and a length. A match counts only if it is as random as a key; placeholders (sk-xxxx,
// YOUR_KEY, ${KEY}, the examples of the providers' documentation) do not count. A text without a
// pattern counts only after a name such as api_key, and if it is long and random. There are larger
// sets of rules, but no small library of them.
//
// Promises: one pass over any text; matches are in order and do not overlap.
package secret
