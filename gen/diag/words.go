package diag

import (
	"fmt"
	"strings"
)

// maxListed is how many names a message lists at most.
const maxListed = 12

// Listed writes names as a person would: `draft, critique, refine`. Of many it says how many it leaves out.
func Listed(names []string) string {
	if len(names) <= maxListed {
		return strings.Join(names, ", ")
	}

	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed-1], ", "), len(names)-maxListed+1)
}
