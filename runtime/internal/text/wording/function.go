package wording

import "strconv"

// FuncFailed returns what comes before the text of an error that a function has returned.
func FuncFailed(name string) string { return "function " + strconv.Quote(name) + ": " }
