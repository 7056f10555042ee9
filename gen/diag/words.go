package diag

import (
	"fmt"
	"strings"
)

// maxListed is how many names a message lists at most.
const maxListed = 12

// Listed joins names for a sentence: `draft, critique, refine`. A long list is cut, with the number of the names left
// out.
func Listed(names []string) string {
	if len(names) <= maxListed {
		return strings.Join(names, ", ")
	}

	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed-1], ", "), len(names)-maxListed+1)
}
