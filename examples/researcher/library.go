package main

// paper is an entry of the library.
type paper struct {
	id, author, title string
	year              int64
	text              string
}

// papers are the whole library; the texts are summaries.
var papers = []paper{
	{
		id: "mealy-1955", author: "Mealy", title: "A method for synthesizing sequential circuits", year: 1955,
		text: "Describes a state machine whose output depends on the state and on the input.",
	},
	{
		id: "harel-1987", author: "Harel", title: "Statecharts", year: 1987,
		text: "Extends the state machine by depth, orthogonality and broadcast, so that large diagrams stay readable.",
	},
	{
		id: "kahn-1974", author: "Kahn", title: "The semantics of a simple language for parallel programming", year: 1974,
		text: "Processes that communicate over queues compute the same results in every order of execution.",
	},
}
