// Package redact takes the values of secrets out of what tools give back, before a model, a journal or an observer sees it. It
// is the last line, not the first: a tool should not see a secret that it does not need.
//
// A value of 8 bytes or more is found however each of its characters is written: as it is, as %XX of a URL, as an escape of JSON
// (\uXXXX, \/ and the short ones), or as a reference of HTML; as hexadecimal digits; and in Base64 of either alphabet, also where
// it is a part of what was encoded, as in the header of basic authentication. What is found becomes [redacted NAME]. Where values
// overlap everything that any of them covers is taken out, under the name of the longest.
//
// A shorter value would be found where it is none. Other transformations, such as compressing, reversing or telling a value
// letter by letter, hide it from this package.
package redact
