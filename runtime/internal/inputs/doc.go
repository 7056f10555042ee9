// Package inputs reads what the flags and arguments of a command say about a run: which agent, with which task and initial
// context, and what answers instead of its models. Commands of package app, serve and temporal take them alike. Each function
// prints what is wrong, and returns ok false and the exit code then.
package inputs
