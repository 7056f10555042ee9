// Package anthropicwire speaks the format of Anthropic's messages from the server's side: it reads a request as strictly as Anthropic
// does, and writes a reply as events, or whole where the request asks for that. Package wiretest lets that go wrong.
package anthropicwire
