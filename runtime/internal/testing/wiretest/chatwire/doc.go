// Package chatwire speaks the format of OpenAI's chat completions from the server's side: it reads a request as strictly as a server
// does that takes nothing for granted, and writes a reply whole or in parts, as the request asks. Package wiretest lets that go
// wrong.
package chatwire
