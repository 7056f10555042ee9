package client

// Ask is what the tests ask single servers by.
var Ask = ask
