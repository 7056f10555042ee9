package verify

import "github.com/agentc-dev/agentc/gen/emit"

// What compares one file.
var (
	Agent     = agent
	Shared    = shared
	Tests     = tests
	Providers = providers
	Recorded  = recordings
	Servers   = servers
)

// Explicit returns a file with the conditions of the methods of a type spelled out.
func Explicit(content []byte, receiver string) (string, error) {
	f := &emit.File{Name: "file.go", Content: content}
	d, err := parse(f)
	if err != nil {
		return "", err
	}
	d, err = d.explicit(f, receiver)
	if err != nil {
		return "", err
	}

	return string(d.source), nil
}
