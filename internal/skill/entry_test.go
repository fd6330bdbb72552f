package skill

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// Each entry stands alone in a list, so that YAML has no say in what it is.
func TestEntries(t *testing.T) {
	for _, tt := range []struct{ entry, tool, pattern, mention string }{
		{entry: "Read", tool: "Read", pattern: "*"},
		{entry: "read_file2", tool: "read_file2", pattern: "*"},
		{entry: "_x", tool: "_x", pattern: "*"},
		{entry: "*", tool: "*", pattern: "*"},
		{entry: "mcp__*__get", tool: "mcp__*__get", pattern: "*"},
		{entry: "ns:a/b.c-d", tool: "ns:a/b.c-d", pattern: "*"},
		{entry: "all_files", tool: "all_files", pattern: "*"},
		{entry: "Bash(***)", tool: "Bash", pattern: "*"},
		{entry: "Bash( git status )", tool: "Bash", pattern: "git status"},
		{entry: "Bash(git :*)", tool: "Bash", pattern: "git *"},
		{entry: "Bash(git*)", tool: "Bash", pattern: "git*"},
		{entry: "Bash(git:* status)", tool: "Bash", pattern: "git:* status"},
		{entry: "Bash(a, (b, c), d)", tool: "Bash", pattern: "a, (b, c), d"},
		{entry: `Bash(echo \) x)`, tool: "Bash", pattern: `echo \) x`},
		{entry: `Bash(echo \\)`, tool: "Bash", pattern: `echo \\`},
		{entry: "Read({src,doc}/**)", tool: "Read", pattern: "{src,doc}/**"},
		{entry: "Read(日本/*)", tool: "Read", pattern: "日本/*"},
		{entry: "WebFetch(domain:example.com)", tool: "WebFetch", pattern: "domain:example.com"},
		{entry: "WebFetch(domain:*)", tool: "WebFetch", pattern: "domain:*"},
		{entry: "WebFetch(http://localhost:*)", tool: "WebFetch", pattern: "http://localhost:*"},
		{entry: "Bash(curl http://x:*)", tool: "Bash", pattern: "curl http://x *"},
		{entry: "Bash(dig domain:*)", tool: "Bash", pattern: "dig domain *"},

		{entry: "Bash(git", mention: `"(" without ")"`},
		{entry: "Bash(a (b) Read", mention: `"(" without ")"`},
		{entry: `Bash(git\)`, mention: `"(" without ")"`},
		{entry: "Bash(git))", mention: `")" without "("`},
		{entry: "Read)", mention: `")" without "("`},
		{entry: ")Read(", mention: `")" without "("`},
		{entry: "Bash(a)Read", mention: `want a blank or comma after ")"`},
		{entry: "Bash(a)(b)", mention: `want a blank or comma after ")"`},
		{entry: "(git status)", mention: "want a name"},
		{entry: "()", mention: "want a name"},
		{entry: "-", mention: "want a name"},
		{entry: "- Read", mention: "want a name"},
		{entry: "Read.", mention: "want a name"},
		{entry: "shell:", mention: "want a name"},
		{entry: `"Read"`, mention: "want a name"},
		{entry: "${TOOLS}", mention: "want a name"},
		{entry: "mcp__{a,b}", mention: "want a name"},
		{entry: "[a]", mention: "want a name"},
		{entry: `a\ b`, mention: "want a name"},
		{entry: "Read;Write", mention: "want a name"},
		{entry: "Read，Write", mention: "want a name"},
		{entry: "Rеad", mention: "want a name"}, // the е is Cyrillic
		{entry: "Re\u00adad", mention: `"Re\u00adad": want a name`},
		{entry: "Read\u2003Write", mention: `"Read\u2003Write": want a name`},
		{entry: "Read\u2028Write", mention: `"Read\u2028Write": want a name`},
		{entry: "Read\vWrite", mention: `"Read\vWrite": want a name`},
		{entry: "Bash()", mention: "empty argument"},
		{entry: "Bash( )", mention: "empty argument"},
		{entry: "Bash( :*)", mention: "empty argument"},
		{entry: "ALL", mention: "reserved word"},
		{entry: "any(*)", mention: "reserved word"},
		{entry: "none", mention: "reserved word"},
		{entry: "Read([a)", mention: `"Read([a)": at offset 0: "[" is never closed`},
		{entry: `Bash(x\\\)`, mention: `"(" without ")"`},
		{entry: "Read(a\x00)", mention: "NUL"},
		{entry: "Read({a,b)", mention: `"{" is never closed`},
	} {
		t.Run(tt.entry, func(t *testing.T) {
			list, err := yaml.Marshal(map[string][]string{"allowed-tools": {"Glob", tt.entry + " , Grep"}})
			require.NoError(t, err)
			doc, faults := Read(file(string(list)))
			if tt.mention != "" {
				require.NotEmpty(t, faults)
				assert.Nil(t, doc)
				assert.Contains(t, report(faults)[0], "5 allowed-tools[2]: invalid tool entry ")
				assert.Contains(t, report(faults)[0], tt.mention)
				return
			}
			require.Empty(t, report(faults))
			assert.Equal(t, []Entry{
				{Line: 4, Tool: "Glob", Pattern: "*"},
				{Line: 5, Tool: tt.tool, Pattern: tt.pattern},
				{Line: 5, Tool: "Grep", Pattern: "*"},
			}, doc.Entries)
		})
	}
}
