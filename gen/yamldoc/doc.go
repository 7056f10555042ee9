// Package yamldoc parses YAML and Markdown frontmatter into a tree whose every node knows exactly where it stands.
//
// Input: a [source.File]. Output: a [Node] tree and at most one syntax diagnostic per file. The tree is what the schema
// is checked against and what the front ends read; nothing downstream sees yaml.v3. TOML files become the same tree.
package yamldoc
