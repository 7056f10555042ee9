// Package question has the questions that runs ask people, and the answers to them. A [List] has
// the questions of a run that is under way.
package question
