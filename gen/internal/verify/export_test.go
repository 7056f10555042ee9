package verify

// Agent compares the file of one agent.
var Agent = compareAgent
