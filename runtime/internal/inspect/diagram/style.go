package diagram

import _ "embed"

// Style is the look of pictures, on light and on dark paper.
//
//go:embed style.css
var Style string
