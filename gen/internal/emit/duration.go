package emit

import (
	"time"

	"github.com/dave/jennifer/jen"
)

// duration returns a duration as a person writes it: in the largest unit of which it is a whole number.
func duration(d time.Duration) *jen.Statement {
	for _, unit := range []struct {
		name string
		of   time.Duration
	}{
		{"Hour", time.Hour}, {"Minute", time.Minute}, {"Second", time.Second}, {"Millisecond", time.Millisecond},
		{"Microsecond", time.Microsecond},
	} {
		if d%unit.of == 0 {
			return jen.Lit(int(d/unit.of)).Op("*").Qual("time", unit.name)
		}
	}

	return jen.Lit(int(d)).Op("*").Qual("time", "Nanosecond")
}
