// Package testplan says what the generated test of a machine knows of it, and which of its rows the test leaves out.
//
// Input: a machine of a program without errors. Output: its states, all of them or as many as have [MaxRows] rows; the rows that
// no run of the machine takes when it runs by itself, with the reason, and the states that none comes to, as package walk finds
// them; and values for agents whose output has a schema. Emission writes that into the test, and package verify reads it back.
//
// The test of a machine in a workflow has all its states and rows. The plan of the workflow has what its steps are answered.
package testplan
