package client

// Ask is what the tests ask single servers by.
var Ask = ask

// FirstAnswerTime is how long a server of unknown protocol has to answer the first message.
var FirstAnswerTime = &firstAnswerTime
