// Package spell writes waits as people write them.
package spell
