package subject

import "testing"

// Two spellings of one argument have to agree in all of what they hold.
func TestSpellingsOfListsAndObjects(t *testing.T) {
	const differ = "error: two spellings of one, with different values"
	check(t, on(t, "linux"), []reads{
		{"read", `{"path":["a","b"],"file_path":["a","b"]}`, "path a; path b"},
		{"read", `{"path":["a","\u0062"],"file_path":[ "a" , "b" ]}`, "path a; path b"},
		{"read", `{"path":["a","b"],"file_path":["a","b"],"filePath":["a","b"]}`, "path a; path b"},
		{"read", `{"path":["a","b"],"file_path":["b","a"]}`, differ},
		{"read", `{"path":["a","b"],"file_path":["a"]}`, differ},
		{"read", `{"path":["a"],"file_path":["a","b"]}`, differ},
		{"read", `{"path":["a"],"file_path":"a"}`, differ},
		{"read", `{"path":["a"],"file_path":["a",null]}`, differ},
		{"read", `{"path":["a"],"file_path":[["a"]]}`, differ},
		{"read", `{"path":["a"],"file_path":{"0":"a"}}`, differ},
		{"read", `{"path":["a"],"file_path":["a"],"filePath":["b"]}`, differ},

		{"bash", `{"command":["git","push"],"cmd":["git","push"]}`, "command git push"},
		{"bash", `{"command":["git","push"],"cmd":["git","pull"]}`, differ},
		{"bash", `{"command":["git","push"],"cmd":"git push"}`, differ},

		// What is equal may still be nothing that can be read.
		{"read", `{"path":{"a":"b"},"file_path":{"a":"b"}}`, "error: want a string or a list of strings, found an object"},
		{"read", `{"path":{"a":["b"]},"file_path":{"a":["c"]}}`, differ},
		{"read", `{"path":{"a":"b"},"file_path":{"c":"b"}}`, differ},
		{"read", `{"path":{"a":"b"},"file_path":{"a":"b","c":"d"}}`, differ},
		{"read", `{"path":{"a":"b"},"file_path":{}}`, differ},
		{"read", `{"path":[],"file_path":[]}`, "error: an empty list"},
		{"read", `{"path":[{"a":"b"}],"file_path":[{"a":"b"}]}`, "error: item 1: want a string, found an object"},
		{"read", `{"path":[{"a":"b"}],"file_path":[{"a":"c"}]}`, differ},

		// The same inside the items of a list.
		{"multi_edit", `{"edits":[{"path":"a","file_path":"a"}]}`, "path a"},
		{"multi_edit", `{"edits":[{"path":["a"],"file_path":["a"]}]}`, "error: item 1: want a string, found a list"},
		{"multi_edit", `{"edits":[{"path":["a"],"file_path":["b"]}]}`, `error: item 1: two spellings of "path" with different values`},
		{"multi_edit", `{"edits":[{"path":{"a":"b"},"file_path":{"a":"c"}}]}`, `error: item 1: two spellings of "path" with different values`},
	})
}
