// Package cells measures text in the cells of a terminal and cuts it to a number of them: a letter takes one, an ideograph or an emoji
// two, a combining mark none.
//
// Input: text without control characters. Output: counts, and parts of the text. The widths are the
// ones of Unicode's East Asian Width, with ambiguous characters narrow, as terminals have them
// outside of legacy East Asian locales. What terminals do not agree about is what several code
// points make together: [Plain] takes out what joins them, so that each is shown as itself.
//
// The table is our own because the runtime needs nothing but the standard library, which has no widths; a test compares it with the
// scripts that the standard library knows.
package cells
