package diagram

import _ "embed"

// Style says how pictures look, on light and on dark paper.
//
//go:embed style.css
var Style string
