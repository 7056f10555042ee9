// Package size reads sizes and durations as people write them, such as 20KB, 8MB, 1h30m or 2 weeks.
package size
