// Package graph draws machines, flows and workflows as Mermaid flowcharts and as DOT, the language
// of Graphviz.
//
// Input: an [ir.Program] without errors. Output: text. Both formats show the same picture, which
// the builder makes first:
//
//   - a state that runs an agent is a box, a terminal that runs an agent a box with round ends, a
//     marker an ellipse, and the end by `~` a double circle;
//   - in a flow, an agent is a box, a step a box of another colour, and a question to a person a
//     slanted box. They follow each other from the start to the end, a double circle. A loop is a
//     dotted line back, whose label is the number of turns;
//   - parallel parts of a flow are in a frame with a dashed border, whose label is the width;
//   - a state or an operation whose agent is a machine, a flow or a workflow is a frame. Each frame
//     is drawn once: further uses are boxes with double sides and a dotted line to the frame;
//   - in a workflow, a step that asks a model is a box of another colour, one that asks a person a
//     slanted box, one that asks neither a hexagon, and one that chooses a branch a diamond. Another
//     workflow or agent is a frame;
//   - a machine of a workflow is a frame, and each of its states a frame around its steps. Rows are
//     lines with the event and the guard as label; rows from "*" begin at an extra node. A
//     next_state is a dotted line, to an extra node if only the run decides it. If the machine can
//     end elsewhere than in an end state, a line leads to a double circle;
//   - the gate of a react agent is a frame with a box for each state; the lines are the calls of the
//     agent. The label of the frame lists the calls that are allowed in every state;
//   - a guard is in brackets after its key, and so is the time of a key that a timer fires;
//   - the catch-all is dotted, an unconditional row has no label.
//
// Text of a source file is data: names of nodes are made here, and labels are escaped so that none
// can end its quotes, become markup or an instruction of the drawing program.
package graph
