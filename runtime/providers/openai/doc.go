// Package openai is the model provider for servers with the API of OpenAI's chat completions: OpenAI itself, Ollama,
// vLLM, llama.cpp, Gemini's compatible endpoint, and any other at a base_url. It needs only the standard library.
//
// [Open] is a model.Opener:
//
//	eng := engine.New(engine.Options{Providers: map[string]model.Opener{"openai": openai.Open, "ollama": openai.Open}})
//
// The README of this package lists the settings and the known differences between servers. The provider guarantees:
//
//   - A missing or invalid key is a *model.CredentialError before anything is sent. A key is sent only to the host of
//     the base_url, because redirects are not followed, and is in no error, event or reply.
//   - A failure is a *model.Error, whose class shows whether another attempt can help. A reply that is cut off,
//     invalid or larger than the limit is a failure, never a shorter reply.
//   - If a server does not support a setting, such as a temperature or a form of answers, the request is repeated
//     once without it; that is remembered.
//   - Calls of tools have ids that differ within the conversation, whatever the server sent.
package openai
