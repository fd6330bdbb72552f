package permissionmcp_test

import (
	"context"
	"fmt"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/insomnia-run/permission"
	permissionmcp "github.com/insomnia-run/permission/adapters/mcp"
)

// A server has the rules of its operator before its tools.
func ExampleServer() {
	policy, err := permission.Compile(permission.Deny, []permission.Rule{
		{Tool: "read", Pattern: "**/.env", Action: permission.Deny, Reason: "secrets stay here"},
		{Tool: "read", Pattern: "./*", Action: permission.Allow},
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	hook, err := permission.NewHook(policy, nil)
	if err != nil {
		log.Fatal(err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "files", Version: "v1.0.0"}, nil)
	server.AddReceivingMiddleware(permissionmcp.Server(hook, nil))
	addRead(server)

	for _, path := range []string{"main.go", "web/../.env"} {
		fmt.Println(callRead(server, path))
	}
	// Output:
	// false the text of main.go
	// true Permission denied: "read" ".env" was not run. The rule for read "**/.env" says deny. Reason: secrets stay here. Take another way, or tell the user what you need and why.
}

type input struct {
	Path string `json:"path"`
}

func addRead(server *mcp.Server) {
	mcp.AddTool(server, &mcp.Tool{Name: "read"}, func(_ context.Context, _ *mcp.CallToolRequest, in input) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "the text of " + in.Path}}}, nil, nil
	})
}

// callRead has a client call read, and returns what its model is shown.
func callRead(server *mcp.Server, path string) string {
	ctx := context.Background()
	near, far := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, far, nil); err != nil {
		return err.Error()
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1.0.0"}, nil).Connect(ctx, near, nil)
	if err != nil {
		return err.Error()
	}
	defer session.Close()
	res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "read", Arguments: input{path}})
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(res.IsError, " ", res.Content[0].(*mcp.TextContent).Text)
}
