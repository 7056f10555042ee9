// Package graph draws machines, flows and workflows as Mermaid flowcharts and as DOT, the language
// of Graphviz.
//
// Input: an [ir.Program] without errors. Output: text. Both formats show the same picture, which
// [build] makes first:
//
//   - a state that runs an agent is a box, a terminal that runs an agent a box with round ends, a marker an ellipse, and the
//     end by `~` a double circle;
//   - in a flow, an agent is a box, a step a box of another colour, and a person who is waited for a slanted box. They follow
//     each other from the start to the end, a double circle; a loop is a dotted line back, whose label says how often;
//   - what runs side by side in a flow is in a frame with a dashed border, whose label says how many at a time;
//   - a state or an operation whose agent is a machine, a flow or a workflow itself is a frame around that. Each one is drawn
//     once: where it is used a second time there is a box with double sides and a dotted line to the frame;
//   - in a workflow, a step that asks a model is a box of another colour, one that asks a person a slanted box, one that asks
//     neither a hexagon, and one that chooses a branch a diamond. Another workflow or agent is a frame around that;
//   - a machine of a workflow is a frame, and each of its states a frame around its steps. Rows are lines whose labels are the
//     event and the guard; those from "*" begin at a word of their own. A next_state is a dotted line, to a word of its own where
//     only the run decides it. Where the machine can end in no end state a line leads to a double circle;
//   - the gate of a react agent is a frame with a box for each state; lines are what the agent calls, and the name of the frame is
//     followed by what it may call in every state;
//   - a guard is in brackets behind its key, and the time behind a key that a timer fires;
//   - the catch-all is dotted, an unconditional row has no label.
//
// Text of a source file is data: names of nodes are made here, and labels are escaped so that none
// can end its quotes, become markup or an instruction of the drawing program.
package graph
