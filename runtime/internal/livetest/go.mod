module github.com/agentc-dev/agentc/runtime/internal/livetest

go 1.25.0

require github.com/agentc-dev/agentc v0.0.0

replace github.com/agentc-dev/agentc => ../../..
