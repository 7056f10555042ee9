// Runs the compiler beside the page. Messages go to and come from Go: see main_js.go.
importScripts("wasm_exec.js");

const go = new Go();
const unpacked = fetch("agentc.wasm.gz").then((reply) => {
	if (!reply.ok) throw new Error(`agentc.wasm.gz: ${reply.status}`);
	return new Response(reply.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": "application/wasm" } });
});
WebAssembly.instantiateStreaming(unpacked, go.importObject).then(({ instance }) => go.run(instance));
