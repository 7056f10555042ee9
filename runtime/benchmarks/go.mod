module github.com/agentc-dev/agentc/runtime/benchmarks

go 1.25.0

require github.com/agentc-dev/agentc v0.0.0

require (
	github.com/looplab/fsm v1.0.3 // indirect
	github.com/qmuntal/stateless v1.7.2 // indirect
)

replace github.com/agentc-dev/agentc => ../..
