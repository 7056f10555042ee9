# What a contributor runs. `make help` lists it.

GO ?= go
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.7.0
TASK ?= a haiku about compilers

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow test-temporal lint generate race fuzz bench soak playground

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: ## compile and run the smallest example: no key, no network beyond the Go modules
	$(GO) run ./cmd/agentc run ./examples/smart-critic "$(TASK)"

test: lint ## what has to hold before a change lands: lint, and every test, without the slow rounds
	@./.ci/test

test-slow: ## what test leaves out: vet for other systems, builds into empty caches, long random walks, Temporal's server
	@./.ci/systems
	@./.ci/slow
	@./.ci/temporal "$(STATICCHECK)"

playground: ## build the page on which agents are edited and run in a browser, into bin/playground
	@./gen/internal/playground/build.sh bin/playground
	@echo 'serve it with any web server: python3 -m http.server -d bin/playground'

lint: ## gofmt, vet, staticcheck, generated files that match their sources, licences, vulnerabilities
	./.ci/lint "$(STATICCHECK)"

generate: ## write the generated files of all examples anew
	$(GO) generate ./examples/...
	cd examples/delivery && $(GO) generate ./...
	cd examples/researcher && $(GO) generate ./...
	cd examples/service && $(GO) generate ./...
	cd runtime/mcp && $(GO) generate ./...
	$(GO) generate ./runtime/inspect/page
	cd runtime/sqlite && $(GO) generate ./...
	cd runtime/otel && $(GO) generate ./...
	cd runtime/temporal && $(GO) generate ./...

fuzz: ## run every fuzz target for a while: make fuzz FUZZTIME=1m
	./.ci/fuzz "$(or $(FUZZTIME),1m)"

soak: ## interrupt runs everywhere, by cutting journals, killing processes and failing files, and print what was counted
	./.ci/soak

test-temporal: ## the tests that need Temporal's server, which is built once into the user's cache folder
	./.ci/temporal "$(STATICCHECK)"

bench: ## the table of ratios: measured, goal, ok or MISSED
	cd runtime/benchmarks && $(GO) run .
