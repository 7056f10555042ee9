package names

// ClientPath is the package of the client of MCP servers, and ClientModule the module that it is in.
const (
	ClientPath   = ClientModule + "/client"
	ClientModule = "github.com/agentc-dev/agentc/runtime/mcp"
)

// ServersFile is the file of the MCP servers of a project that has some, ServerParts the function in it.
const (
	ServersFile = "servers_gen.go"
	ServerParts = "servers"
)
