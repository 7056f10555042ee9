package temporal

// Startable is what Start asks first.
var Startable = startable
