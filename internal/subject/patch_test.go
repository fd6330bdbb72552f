package subject

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lines joins the lines of a patch.
func lines(ls ...string) string { return strings.Join(ls, "\n") + "\n" }

func checkPatches(t *testing.T, patches map[string]string) {
	t.Helper()
	r := on(t, "linux")
	for patch, want := range patches {
		ss, err := r.Subjects(Patch, patch, "")
		if want == "" {
			assert.ErrorContains(t, err, "no file is named", patch)
			continue
		}
		require.NoError(t, err, patch)
		assert.Equal(t, strings.ReplaceAll(want, "; ", "; path "), strings.TrimPrefix(texts(ss), "path "), patch)
	}
}

func TestEnvelopes(t *testing.T) {
	checkPatches(t, map[string]string{
		lines("*** Begin Patch", "*** Add File: a/b", "+x", "*** End Patch"):                            "a/b",
		lines("*** Begin Patch", "*** Update File: a", "@@", "-x", "+y", "*** Delete File: b"):          "a; b",
		lines("*** Update File: a", "*** Move to: ../b", "@@ f", " x", "*** End of File"):               "a; /srv/b",
		"*** Begin Patch\r\n*** Add File: a\r\n+x\r\n*** End Patch\r\n":                                 "a",
		lines("apply_patch <<'EOF'", "*** Begin Patch", "*** Add File: a", "*** End Patch", "EOF"):      "a",
		lines("", "  *** Begin Patch", "  *** Add File: a", "\t*** Delete File:\tb  ", "*** End Patch"): "a; b",
		lines("*** Add File: a b"): "a b",
		lines("*** Add File: ~/a", "*** Add File: /etc/x", "*** Add File: x/../y"): "/home/u/a; /etc/x; y",
		"*** Add File: a": "a",
		lines("*** Begin Patch", "*** Add File: a", "*** Add File: a"): "a; a",
		lines("*** Begin Patch", "*** End Patch"):                      "",
		"":        "",
		"garbage": "",
		// Content that looks like a header, and is not at the start of its line.
		lines("*** Update File: a", "@@", "-*** Delete File: b", "+*** Delete File: c", "+--- x", "++++ y"): "a",
		lines("*** Update File: a.md", "@@", " ***", "+***", " text *** Add File: b"):                       "a.md",
		lines("*** Update File: a.sql", "@@", "--- one", "--- two", "+x", " y"):                             "a.sql",
		// What the reader may take for a header is one, also in content.
		lines("*** Update File: a", "@@", " *** Delete File: b"): "a; b",
		// A line that is none of these may mean anything.
		lines("*** Update File: a", "*** Rename File: b"):                                  "a; ?*** Rename File: b",
		lines("*** update file: a"):                                                        "?*** update file: a",
		lines("*** a\t2024-01-01", "--- b\t2024-01-01", "***************", "*** 1,2 ****"): "?*** a\t2024-01-01; ?*** 1,2 ****",
	})
	_, err := on(t, "linux").Subjects(Patch, "*** Add File: \n", "")
	assert.ErrorContains(t, err, "an empty path")
	_, err = on(t, "linux").Subjects(Patch, "*** Add File: a\x00b\n", "")
	assert.ErrorContains(t, err, "NUL")
}

// A diff behind or inside an envelope is one to patch, which skips what it
// does not know.
func TestDiffsInEnvelopes(t *testing.T) {
	checkPatches(t, map[string]string{
		lines("*** Begin Patch", "*** Update File: a", "*** End Patch", "--- a/b", "+++ b/b", "@@ -1 +1 @@"): "a; b; b",
		lines("*** Begin Patch", "diff --git a/b b/b", "deleted file mode 100644", "*** End Patch"):          "b",
		lines("*** Begin Patch", "*** Add File: a", "+x", "Index: b"):                                        "a; b",
	})
}

// Some readers start a line where others see none.
func TestLineBreaksThatReadersDifferOn(t *testing.T) {
	r := on(t, "linux")
	for _, br := range []string{"\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\u0085", "\u2028", "\u2029"} {
		for _, patch := range []string{
			"*** Update File: a\n@@\n+x" + br + "*** Delete File: .env\n",
			"*** Update File: a\n@@\n+x" + br + "--- a/.env" + br + "+++ b/.env\n",
			"*** Update File: a" + br + "*** Move to: .env\n",
		} {
			ss, err := r.Subjects(Patch, patch, "")
			require.NoError(t, err)
			must, _ := match(t, r, false, Path, ".env", ss)
			assert.True(t, must, "%q: %s", patch, texts(ss))
		}
	}
	ss, err := r.Subjects(Patch, "*** Add File: a\r\n+b\r\n+c\r\n", "")
	require.NoError(t, err)
	assert.Len(t, ss, 1)
}

func TestUnifiedDiffs(t *testing.T) {
	checkPatches(t, map[string]string{
		lines("--- a/x/y", "+++ b/x/y", "@@ -1 +1 @@", "-a", "+b"):                 "x/y; x/y",
		lines("--- /dev/null", "+++ b/x", "@@ -0,0 +1 @@", "+a"):                   "x",
		lines("--- a/x", "+++ /dev/null"):                                          "x",
		lines("--- /dev/null", "+++ /dev/null"):                                    "",
		lines("--- a/x\t2024-01-01 00:00:00", "+++ b/x\t2024-01-01"):               "x; x",
		lines("--- a/x", "+++ b/y"):                                                "x; y",
		lines("--- a/x\r", "+++ b/x\r"):                                            "x; x",
		lines("--- x", "+++ x"):                                                    "x; x",
		lines("--- a/../../x", "+++ b/y"):                                          "/x; y",
		lines("--- /etc/x", "+++ /etc/x"):                                          "/etc/x; /etc/x",
		lines("--- \"a/\\303\\251 x\"", "+++ \"b/\\t\""):                           "é x; \t",
		lines("--- \"a/x", "+++ b/x"):                                              "?\"a/x; x",
		lines("--- \"a/\\377\"", "+++ b/x"):                                        "?\"a/\\377\"; x",
		lines("Index: x", "=====", "--- x\t(revision 1)", "+++ x\t(working copy)"): "x; x; x",
		lines("Index:x"):                                                           "x",
		lines("---\ta/x", "+++\tb/x"):                                              "x; x",
		lines("---   a/x", "+++  b/x"):                                             "x; x",
		// Whether the first component counts, only a/ and b/ tell.
		lines("--- src/x", "+++ src/x"): "src/x; x; src/x; x",
		// Without a tab a blank may end the name.
		lines("--- a/x 2024-01-01", "+++ b/x.md y.md"): "x 2024-01-01; x; x.md y.md; x.md",
		// Indented, in either order, alone, far from the hunk.
		lines("  --- a/x", "  +++ b/x", "  @@ -1 +1 @@"):   "x; x",
		lines("+++ b/x", "--- a/x"):                        "x; x",
		lines("+++ b/x", "@@ -1 +1 @@"):                    "x",
		lines("--- a/x", "", "note", "@@ -1 +1 @@", "-a"):  "x",
		lines("--- a/x"):                                   "",
		lines("--- a/x", "note", "+++ b/y", "@@ -1 +1 @@"): "x; y",
		// What a hunk holds is content, to its last line and no further.
		lines("--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@ f", "--- b", " c", "+d", "@@ -9 +9 @@", "-a", "+b"):            "x; x",
		lines("--- a/x", "+++ b/x", "@@ -1 +1 @@", "-c", "+d", "+++ b/y", "@@ -1 +1 @@"):                            "x; x; y",
		lines("--- a/x", "+++ b/x", "@@ -1 +1 @@", "--- b", "+++ c", "+++ b/y", "@@ -1 +1 @@"):                      "x; x; b; c; y",
		lines("--- a/x", "+++ b/x", "@@ -1,9 +1,9 @@", "--- a/y", "+++ b/y"):                                        "x; x; y; y",
		lines("--- a/x", "+++ b/x", "@@ -1 +0,0 @@", "-a", `\ No newline at end of file`, "+++ b/y", "@@ -1 +1 @@"): "x; x; y",
	})
}

func TestGitDiffs(t *testing.T) {
	checkPatches(t, map[string]string{
		lines("diff --git a/x b/x", "index 1..2 100644", "--- a/x", "+++ b/x"):               "x; x; x",
		lines("diff --git a/x b/x", "old mode 100644", "new mode 100755"):                    "x",
		lines("diff --git a/x.png b/x.png", "GIT binary patch", "delta 3"):                   "x.png",
		lines("diff --git a/x b/y", "similarity index 100%", "rename from x", "rename to y"): "x; y; x; y",
		lines("diff --git a/x b/d/y", "copy from x", "copy to d/y"):                          "x; d/y; x; d/y",
		lines("diff --git a/a b b/a b", "new file mode 100644"):                              "a b",
		lines("diff --git a/x b/x b/x b/x"):                                                  "x b/x",
		lines("diff --git a/a b b/c"):                                                        "?a/a b b/c",
		lines("diff --git a/x"):                                                              "?a/x",
		lines("diff --git \"a/\\303\\251\" \"b/\\303\\251\""):                                "é; é",
		lines("diff --git a/x \"b/a b\""):                                                    "x; a b",
		lines("diff --git \"a/a b\" b/x"):                                                    "a b; x",
		lines("diff --git a/x b/y z\""):                                                      "?a/x b/y z\"",
		lines("diff --git \"a/x b/x"):                                                        "?\"a/x b/x",
		lines("rename from \"a\\tb\"", "rename to \"c"):                                      "a\tb; ?\"c",
		// git drops nothing from the names of a rename.
		lines("rename from a/x", "rename to b/y"): "a/x; b/y",
		// Without prefixes it drops the first component all the same.
		lines("diff --git src/x src/x"): "src/x; x; src/x; x",
	})
}

// The other name that a reader may take counts for refusals.
func TestOtherNamesInPatches(t *testing.T) {
	r := on(t, "linux")
	for patch, name := range map[string]string{
		lines("--- a/x", "+++ b/x"):         "b/x",
		lines("--- /etc/x", "+++ /etc/x"):   "etc/x",
		lines("rename from src/x"):          "x",
		lines("*** Update File: .env:x"):    ".env",
		lines("*** Update File: .env :x:y"): ".env",
	} {
		ss, err := r.Subjects(Patch, patch, "")
		require.NoError(t, err)
		must, _ := match(t, r, false, Path, name, ss)
		assert.True(t, must, "%s: %s", patch, show(ss))
		must, _ = match(t, r, true, Path, name, ss)
		assert.False(t, must, patch)
	}
}

func TestPatchesFromADirectory(t *testing.T) {
	ss, err := on(t, "linux").Subjects(Patch, lines("*** Add File: a", "--- a/b", "+++ /c"), "/x")
	require.NoError(t, err)
	assert.Equal(t, "path /x/a; path /x/b; path /c", texts(ss))
	ss, err = on(t, "windows").Subjects(Patch, lines(`*** Add File: a\b`, `*** Add File: C:\x`, "--- a/b\\c", "+++ b/b\\c"), "")
	require.NoError(t, err)
	assert.Equal(t, "path a/b; path C:/x; path b/c; path b/c", texts(ss))
}
