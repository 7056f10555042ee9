// Package yamldoc parses YAML and Markdown frontmatter into a tree whose every node has its exact place.
//
// Input: a [source.File]. Output: a [Node] tree and diagnostics: at most one syntax diagnostic per file, and a duplicate-key
// diagnostic for each key that is written twice. The tree is what the schema is checked against and what the front ends read;
// nothing downstream sees the YAML library. TOML files become the same tree (package tomldoc).
//
// The library says where a node starts and nothing else, so the rest is found here:
//
//   - places.go hides characters that the library would take for line breaks, without moving any other, and turns its lines and
//     columns into byte offsets
//   - convert.go, mapping.go and scalar.go build the tree, and find where a scalar ends by its style: types of the YAML 1.2 core
//     schema, aliases up to a bound, merge keys, duplicate keys
//   - explain.go, explainvalue.go and indent.go explain a text that the library refuses, by trying which change of one
//     place lets it read on: its own messages are not shown, and often name another line than the one at fault
package yamldoc
