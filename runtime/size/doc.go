// Package size reads sizes as people write them, such as 20KB or 8MB.
package size
