package scriptdoc

import "encoding/json"

// Script is a script that is made: what answers, by section and name. The turns of agents are in section "".
type Script map[string]map[string][]any

// Add adds answers to those of a name.
func (s Script) Add(section, name string, answers ...any) {
	if s[section] == nil {
		s[section] = map[string][]any{}
	}
	s[section][name] = append(s[section][name], answers...)
}

// JSON is the script as a file.
func (s Script) JSON() ([]byte, error) {
	script := map[string]any{}
	for name, turns := range s[""] {
		script[name] = turns
	}
	for name, section := range s {
		if name != "" {
			script[name] = section
		}
	}

	return json.MarshalIndent(script, "", "  ")
}
