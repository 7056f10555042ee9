package anthropic

import "github.com/agentc-dev/agentc/runtime/local"

// Part is what a program carries whose roles name the provider anthropic.
type Part struct{}

// Part implements runtime.Part.
func (Part) Part() string { return "anthropic" }

// Openers implements local.ModelSource.
func (Part) Openers() map[string]local.Opener { return map[string]local.Opener{"anthropic": Open} }
