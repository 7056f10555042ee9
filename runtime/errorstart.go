package runtime

import (
	"fmt"
)

// BadSettingError is a setting that cannot be understood: a variable, or a model's name.
type BadSettingError struct {
	// Name is the variable or the place of the setting, Value what stands there.
	Name, Value string
	Problem     string
}

func (e *BadSettingError) Error() string { return fmt.Sprintf("%s: %q %s", e.Name, e.Value, e.Problem) }

// ErrorType is the code of the error; see [ErrorType].
func (*BadSettingError) ErrorType() string { return "BadSettingError" }
