package rt

// Generated code and runtime check at compile time that they fit each other:
//
//	const (
//		_ = EnforceVersion(2 - MinVersion) // the runtime still knows code of generation 2
//		_ = EnforceVersion(MaxVersion - 2) // the runtime is new enough for it
//	)
//
// A constant below zero does not fit the unsigned type, so that the build stops at a line whose
// comment describes the fix.
const (
	// MinVersion is the oldest generation of generated code that this runtime can run.
	MinVersion = 2
	// MaxVersion is the newest.
	MaxVersion = 2
)

// EnforceVersion is the type of the two constants.
type EnforceVersion uint
