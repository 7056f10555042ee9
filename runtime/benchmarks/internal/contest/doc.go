// Package contest is linked into the measuring programs: it holds the contestants that are not generated, lets all of them
// take turns, and writes down what each took.
package contest
