module github.com/agentc-dev/agentc/runtime/inspect/page/web

go 1.25.0

require (
	github.com/agentc-dev/agentc v0.0.0
	github.com/chromedp/cdproto v0.159.0
	github.com/chromedp/chromedp v0.23.0
	github.com/evanw/esbuild v0.28.2
)

require (
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	golang.org/x/sys v0.47.0 // indirect
)

replace github.com/agentc-dev/agentc => ../../../..
