package permissionmcp_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

// guard puts a server and a client behind the same policy.
func guard(server *mcp.Server, client *mcp.Client, policy *permission.Policy) error {
	hook, err := permission.NewHook(policy, &permission.HookOptions{Approver: new(permissionmcp.Elicitor)})
	if err != nil {
		return err
	}
	server.AddReceivingMiddleware(permissionmcp.Server(hook, nil)) // before any other

	client.AddSendingMiddleware(permissionmcp.Client(hook, &permissionmcp.Options{Server: "files"}))
	return nil
}

// The code of the README is that of guard.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	code, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllSubmatch(readme, -1)
	require.Len(t, blocks, 2)
	for _, b := range blocks {
		assert.Contains(t, strings.ReplaceAll(string(code), "\t", ""), strings.ReplaceAll(string(b[1]), "\t", ""))
	}
	manifest := regexp.MustCompile("(?s)```toml\n(.*?)```").FindSubmatch(readme)
	require.Len(t, manifest, 2)
	policy, err := permission.ParseManifest("README.md", append([]byte("[permissions]\ndefault_action = \"deny\"\n"), manifest[1]...), nil)
	require.NoError(t, err)
	impl := &mcp.Implementation{Name: "test"}
	assert.NoError(t, guard(mcp.NewServer(impl, nil), mcp.NewClient(impl, nil), policy))
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
