// Package inputs reads what the flags and arguments of a command say about a run: which agent, with which task and initial
// context, and what answers instead of its models. Commands of package app, serve and temporal take them alike. The errors have
// messages for users, and exit codes.
package inputs
