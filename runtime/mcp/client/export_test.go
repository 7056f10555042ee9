package client

// Ask is what the tests ask single servers by.
var Ask = askServer

// Politely is how long a server has to end by itself.
var Politely = &politely

// FirstAnswerTime is how long a server of unknown protocol has to answer the first message.
var FirstAnswerTime = &firstAnswerTime
