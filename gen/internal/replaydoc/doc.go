// Package replaydoc checks recordings, which a project can have play instead of a model.
//
// Input: a file. Output: diagnostics at the line at fault. It is read by the very reader that plays it, so that what compiles is a recording
// to the program too.
package replaydoc
