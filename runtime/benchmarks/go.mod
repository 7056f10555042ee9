module github.com/agentc-dev/agentc/runtime/benchmarks

go 1.25.0

require (
	github.com/agentc-dev/agentc v0.0.0
	github.com/looplab/fsm v1.0.3
	github.com/qmuntal/stateless v1.7.2
	gopkg.in/yaml.v3 v3.0.1
)

require (
	github.com/BurntSushi/toml v1.6.0 // indirect
	github.com/agext/levenshtein v1.2.3 // indirect
	github.com/aymanbagabas/go-udiff v0.4.1 // indirect
	github.com/dave/jennifer v1.7.1 // indirect
	github.com/santhosh-tekuri/jsonschema/v5 v5.3.1 // indirect
	go.starlark.net v0.0.0-20260908191801-89a6a09411d5 // indirect
)

replace github.com/agentc-dev/agentc => ../..
