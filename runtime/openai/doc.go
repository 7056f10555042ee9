// Package openai is the provider for servers that speak OpenAI's chat completions: OpenAI itself, Ollama, vLLM, llama.cpp,
// Gemini's compatible endpoint, and any other at a base_url. It needs the standard library only.
//
// [Open] is a model.Opener:
//
//	eng := engine.New(engine.WithProvider("openai", openai.Open), engine.WithProvider("ollama", openai.Open))
//
// The page of this package has the settings and what is known to differ between servers. What it promises:
//
//   - A key that is missing or cannot be one is a *model.CredentialError before anything is sent. A key is sent to no other host than
//     that of the base_url, since redirects are not followed, and stands in no error, event or reply.
//   - A failure is a *model.Error whose class says whether another attempt can help. A reply that was cut off, is none, or
//     is larger than the limit is a failure, never a shorter reply.
//   - What a server does not know, temperatures, forms of answers and the like, it is asked once without; that is remembered.
//   - Calls of tools have ids that differ within the conversation, whatever the server sent.
package openai
