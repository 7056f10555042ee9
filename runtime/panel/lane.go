package panel

import (
	"strconv"
	"strings"
)

// lane is the numbers of the branches in which something happens, outermost first: no two branches that run at once have the same.
type lane []int

// key is the lane as the key of a map.
func (l lane) key() string {
	var b strings.Builder
	for _, n := range l {
		b.WriteString("." + decimal(n))
	}

	return b.String()
}

// laneOf is the lane in which an address is: ordinals of effects and numbers of branches take turns.
func laneOf(address string) lane {
	var l lane
	for i, part := range strings.Split(address, ".") {
		if i%2 == 1 {
			n, _ := strconv.Atoi(part) // addresses are the engine's
			l = append(l, n)
		}
	}

	return l
}

func decimal(n int) string { return strconv.Itoa(n) }
