package sqlite

// SetPragma has each connection that is opened begin with one more setting, until restore is called.
func SetPragma(setting string) (restore func()) {
	before := pragmas
	pragmas = append(pragmas[:len(pragmas):len(pragmas)], setting)

	return func() { pragmas = before }
}
