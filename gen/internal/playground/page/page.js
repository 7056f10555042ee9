// The page of the playground: it shows what the compiler in worker.js says of the files. Their texts are values of form fields, text
// nodes and pictures, never markup or script.
const paths = ["agents/smart-critic/AGENT.md", "agents/draft/AGENT.md", "agents/critique/AGENT.md", "agents/refine/AGENT.md", "script.yaml", "agentc.yaml"];
const slow = 10000; // milliseconds after which a compiler that does not answer is started again, with the files but without the run

const by = (id) => document.getElementById(id);
const files = {};
let worker, answering, ready = false, waiting = null, timer;

const read = await Promise.all(paths.map((path) => fetch("sources/" + path).then((reply) => reply.text())));
paths.forEach((path, i) => {
	files[path] = read[i];
	by("file").add(new Option(path, path));
});
show();
start();

by("file").addEventListener("change", show);
by("text").addEventListener("input", () => {
	files[by("file").value] = by("text").value;
	by("steps").hidden = true;
	ask({ run: false });
});
by("run").addEventListener("submit", (event) => {
	event.preventDefault();
	ask({ run: true, task: by("task").value });
});

function show() {
	by("text").value = files[by("file").value];
}

// start loads the compiler; the page can be read and edited meanwhile.
function start() {
	worker = new Worker("worker.js");
	worker.onerror = (event) => say("the compiler cannot be loaded: " + event.message);
	worker.onmessage = ({ data }) => {
		clearTimeout(timer);
		if (data) answer(JSON.parse(data));
		ready = true;
		by("run").querySelector("button").disabled = false;
		send(waiting ?? (data ? null : { run: false }));
	};
}

// ask sends a question, or keeps it, instead of an earlier one, until the last is answered.
function ask(question) {
	waiting = question;
	if (ready) send(question);
}

function send(question) {
	if (!question) return;
	[waiting, ready, answering] = [null, false, question];
	worker.postMessage(JSON.stringify({ files, ...question }));
	timer = setTimeout(() => {
		worker.terminate();
		by("steps").hidden = false;
		by("steps").textContent = "stopped: it took more than 10 seconds";
		start();
	}, slow);
}

function answer({ diagnostics, picture, run }) {
	say(diagnostics ? "problems" : "no problems");
	by("problems").textContent = diagnostics;
	by("picture").hidden = !picture;
	by("picture").src = "data:image/svg+xml," + encodeURIComponent(picture);
	by("picture").alt = "The diagram of the agents" + (diagnostics ? ", with problems" : "");
	if (answering.run) {
		by("steps").hidden = !run;
		by("steps").textContent = run;
	}
}

function say(text) {
	by("state").textContent = text;
}
