package pricing

// Parse reads the text of a file of prices.
var Parse = parse
