// Package usercode runs code of users: methods of tools, guards and functions, providers and
// observers. A panic becomes an error, and code that ignores its context does not hold the run.
package usercode
