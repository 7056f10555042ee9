// Package anthropic is the provider for Anthropic's models, through Anthropic's own SDK, and for servers that speak the same.
//
// [Open] is a model.Opener, and [Part] what a program carries whose roles name the provider:
//
//	eng := engine.New(engine.WithProvider("anthropic", anthropic.Open))
//
// The page of this package has the settings. It promises what runtime/openai promises: keys that are missing are known before anything
// is sent, and a key goes to one host and stands in no error, event or reply; a failure is a *model.Error whose class says
// whether another attempt can help; a reply that was cut off or is none is a failure, never a shorter reply; what a server does not
// know it is asked once without. Besides:
//
//   - What is the same in the next turn, tools, instructions and the conversation so far, is marked for the cache of prompts.
//   - Thoughts, with their signatures, go back with the message that they led to, unchanged, in another process too.
//   - Requests and replies are written and read here, the SDK sends them: its types cost a turn many times what the network costs on
//     this machine, and do not keep what they do not know. The tests hold what is written and read against these types.
//   - The SDK reads no variable, no file and no profile of its own, and repeats nothing: the engine does that.
package anthropic
