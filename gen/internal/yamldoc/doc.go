// Package yamldoc parses YAML and Markdown frontmatter into a tree whose nodes have exact spans.
//
// Input: a [source.File]. Output: a [Node] tree and diagnostics: at most one syntax diagnostic per
// file, and a duplicate-key diagnostic for each repeated key. Schema validation and the front ends
// read the tree; no other package imports the YAML library. TOML files result in the same tree
// (package tomldoc).
//
// The library only reports where a node starts. This package computes the rest:
//
//   - lineindex.go hides characters that the library takes for line breaks, without moving others,
//     and converts its lines and columns to byte offsets
//   - convert.go, mapping.go and scalar.go build the tree and find the end of each scalar by its
//     style: types of the YAML 1.2 core schema, a limited number of aliases, merge keys, duplicate
//     keys
//   - explain.go, explainvalue.go and indent.go explain a syntax error. They try changes of single
//     places until the library accepts the text, because the messages of the library often name
//     another line than the faulty one
package yamldoc
