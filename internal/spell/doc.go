// Package spell writes values for people.
package spell
