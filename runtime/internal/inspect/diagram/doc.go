// Package diagram reads the picture of an agent, which a program carries as the text of a Mermaid flowchart, finds a place for
// each part of it, and draws it as SVG.
//
// Input: what gen/internal/graph writes; of a line that it would not write nothing is drawn. Output: states, rows and frames for
// those who ask about them, and SVG. A label is data: it is escaped, and never markup.
package diagram
