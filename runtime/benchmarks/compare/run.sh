#!/usr/bin/env bash
# Does what the table of README.md says of agentc and of LangGraph. It needs Python, and downloads LangGraph into a folder of its own.
# usage: runtime/benchmarks/compare/run.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

printf '\nagentc: a route to a state that does not exist\n'
go run ./cmd/agentc -C gen/command/testdata/misspelled check || true
printf '\nagentc: the most that a run can use\n'
go run ./cmd/agentc cost examples/support
printf '\nagentc: killed while it pays\n'
go test -count 1 -v -run TestKilledWhilePaying ./examples/approval

python3 -m venv "$work/python"
"$work/python/bin/pip" install -q langgraph==1.2.22 langgraph-checkpoint-sqlite
cd "$work"
printf '\nLangGraph: a route to a state that does not exist\n'
python/bin/python "$here/route.py"
printf '\nLangGraph: killed while it pays\n'
python/bin/python "$here/crash.py" || true
python/bin/python "$here/crash.py"
