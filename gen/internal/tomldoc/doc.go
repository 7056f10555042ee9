// Package tomldoc parses TOML (the older tama.toml) into the tree of package yamldoc, every node with its place.
//
// Input: a [source.File]. Output: the same [yamldoc.Node] tree that a YAML file gives, and at most one syntax diagnostic.
// The TOML library says whether the text is valid and what a string means; it gives no places, so the text is read a
// second time for them, which needs no error handling any more.
package tomldoc
