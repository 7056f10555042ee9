// Package anthropic is the model provider for Anthropic's models, through Anthropic's own SDK, and for servers with
// the same API.
//
// [Open] is a model.Opener:
//
//	eng := engine.New(engine.Options{Providers: map[string]model.Opener{"anthropic": anthropic.Open}})
//
// The README of this package lists the settings. The provider guarantees what package openai does:
// a missing key is reported before anything is sent, and a key is sent only to one host and is in
// no error, event or reply; a failure is a *model.Error, whose class reports whether another
// attempt can help; a reply that is cut off or invalid is a failure, never a shorter reply; a
// request with a setting that a server does not support is repeated once without it. In addition:
//
//   - What is the same in the next turn (tools, instructions and the conversation so far) is marked for the prompt
//     cache.
//   - Thinking blocks, with their signatures, are sent back unchanged with the message that they led to, also by
//     another process.
//   - Requests and replies are encoded and decoded by this package and sent by the SDK: the SDK's types are much
//     slower, and lose fields that they do not know. Tests compare the encoding with these types.
//   - The SDK reads no variable, file or profile of its own, and repeats no request: the engine does that.
package anthropic
