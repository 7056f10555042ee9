// Package redact removes the values of secrets from the results of tools, before a model, a journal or an observer
// sees them. It is the last line of defence: a tool should not receive a secret that it does not need.
//
// A value of 8 bytes or more is found if each of its characters is written as it is, as %XX of a URL, as an escape of
// JSON (\uXXXX, \/ and the short ones) or as a reference of HTML; if it is written as hexadecimal digits; and in
// Base64 of either alphabet, even as a part of what was encoded, as in the header of basic authentication. It is
// replaced by [redacted NAME]. If values overlap, everything that one of them covers is replaced, under the name of
// the longest.
//
// Shorter values are ignored, because they would be found in unrelated text. Other transformations, such as
// compressing or reversing a value or listing its letters one by one, are not detected.
package redact
