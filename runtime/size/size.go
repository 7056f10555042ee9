package size

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// units are the units of a size by their names in capitals. KB is a thousand bytes and KIB 1024, as in SI and IEC.
var units = map[string]float64{
	"": 1, "B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30,
}

// expected describes what Parse reads; errors and schemas use it.
const expected = "a size such as 20KB or 8MB, or a number of bytes"

// The errors of Parse.
var (
	errForm  = errors.New("is not " + expected)
	errRange = errors.New("is too small or too large for a size")
)

// Parse returns the bytes of a size: a decimal number above 0 with an optional unit (B, KB, MB, GB, KiB, MiB, GiB, in
// either case). A part of a byte is dropped. Errors: what is not written so, with 0; less than a byte or
// more than can be counted, with the nearest size.
func Parse(text string) (bytes int64, err error) {
	unit := strings.TrimLeft(text, "0123456789.")
	factor, known := units[strings.ToUpper(strings.TrimPrefix(unit, " "))]
	number, err := strconv.ParseFloat(strings.TrimSuffix(text, unit), 64)
	size := number * factor
	switch {
	case !known || err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, errForm
	case size < 1:
		return 1, errRange
	case size >= math.MaxInt64:
		return math.MaxInt64, errRange
	}

	return int64(size), nil
}
