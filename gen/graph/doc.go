// Package graph draws machines as Mermaid flowcharts and as DOT, the language of Graphviz.
//
// Input: an [ir.Program] without errors. Output: text. Both formats show the same picture, which [build] makes first:
//
//   - a state that runs an agent is a box, a terminal that runs an agent a box with round ends, a marker an ellipse, and the
//     end by `~` a double circle;
//   - a state whose agent is a machine itself is a frame around that machine. Each machine is drawn once: where it stands a
//     second time there is a box with double sides and a dotted line to the frame;
//   - the catch-all is dotted, an unconditional row has no label.
//
// Text of a source file is data: names of nodes are made here, and labels are escaped so that none can end its quotes,
// become markup or an instruction of the drawing program.
package graph
