package runtime

import (
	"fmt"
)

// BadSettingError means that a setting, such as an environment variable or the name of a model, is invalid.
type BadSettingError struct {
	// Name is the variable or the setting, and Value its value.
	Name, Value string
	Problem     string
}

func (e *BadSettingError) Error() string { return fmt.Sprintf("%s: %q %s", e.Name, e.Value, e.Problem) }

// ErrorType is the code of the error; see [ErrorType].
func (*BadSettingError) ErrorType() string { return "BadSettingError" }
