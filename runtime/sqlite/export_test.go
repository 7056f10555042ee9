package sqlite

import "database/sql"

// OpenDatabase opens the file of a store as the store does.
func OpenDatabase(address string) (*sql.DB, error) {
	f, _, err := readAddress(address)
	if err != nil {
		return nil, err
	}

	return f.openDatabase(true)
}

// SetPragma has each connection that is opened begin with one more setting, until restore is called.
func SetPragma(setting string) (restore func()) {
	before := pragmas
	pragmas = append(pragmas[:len(pragmas):len(pragmas)], setting)

	return func() { pragmas = before }
}
