// Package expr reads the expressions and templates of workflows and checks them against what is known at their place.
package expr
