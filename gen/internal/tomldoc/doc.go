// Package tomldoc parses TOML (the older tama.toml) into the tree of package yamldoc.
//
// Input: a [source.File]. Output: the [yamldoc.Node] tree of an equivalent YAML file, and at most
// one syntax diagnostic. The TOML library validates the text and decodes strings, but has no
// positions. So the text is parsed a second time for them, without error handling.
package tomldoc
