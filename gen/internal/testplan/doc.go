// Package testplan says what the generated test of a machine knows of it.
//
// Input: a machine of a program without errors. Output: whether the test runs it, and values for agents whose
// output has a schema. Emission writes that into the test. Which rows no run takes the test finds out itself.
//
// The test of a machine in a workflow has all its states and rows. The plan of the workflow has what its steps are answered.
package testplan
