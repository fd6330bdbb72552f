package main

import (
	"bytes"
	"errors"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// The golden file is what the program prints:
//
//	go run . >testdata/output.txt
func TestOutput(t *testing.T) {
	want, err := os.ReadFile("testdata/output.txt")
	require.NoError(t, err)
	var got bytes.Buffer
	require.NoError(t, run(&got))
	assert.Equal(t, string(want), got.String())
}

// No character of the manifest can get lost and leave another policy behind:
// what loads without it decides as before, and what does not says where. That
// loads the manifest some thousand times; with -short only the characters that
// decisions depend on get lost.
func TestEachCharacterLost(t *testing.T) {
	whole, counts := load(t, manifest).Hash(), values(string(manifest))
	var loaded, refused atomic.Int32
	lose := func(t *testing.T, at int) {
		p, err := parse(slices.Delete(slices.Clone(manifest), at, at+1))
		if err != nil {
			refused.Add(1)
			assert.Nil(t, p)
			assertPlaces(t, err)
			return
		}
		loaded.Add(1)
		assert.Equal(t, whole, p.Hash(), "another policy without byte %d, %q", at, manifest[at])
		assert.False(t, counts[at], "byte %d, %q, makes no difference", at, manifest[at])
	}
	t.Run("lines", func(t *testing.T) { // returns when the last line is done
		at, number := 0, 0
		for line := range bytes.Lines(manifest) {
			start := at
			at, number = at+len(line), number+1
			t.Run(strconv.Itoa(number), func(t *testing.T) {
				t.Parallel()
				for i := range line {
					if counts[start+i] || !testing.Short() {
						lose(t, start+i)
					}
				}
			})
		}
	})
	t.Logf("%d mutants: %d load and decide as before, %d are refused",
		loaded.Load()+refused.Load(), loaded.Load(), refused.Load())
	assert.GreaterOrEqual(t, int(refused.Load()), len(counts))
	if !testing.Short() {
		assert.EqualValues(t, len(manifest), loaded.Load()+refused.Load())
	}
}

// A rule that somebody takes out is missed by a test.
func TestEachRuleLost(t *testing.T) {
	rules := blocks(string(manifest), "[[permissions.rule]]")
	require.Len(t, rules, len(load(t, manifest).Rules()))
	for _, rule := range rules {
		p, err := parse([]byte(strings.Replace(string(manifest), rule, "", 1)))
		assert.Nil(t, p)
		if assert.Error(t, err, "without the rule\n%s", rule) {
			assertPlaces(t, err)
			assert.Contains(t, err.Error(), "test[")
		}
	}
}

func parse(data []byte) (*permission.Policy, error) {
	return permission.ParseManifest("manifest.toml", data, options())
}

func load(t *testing.T, data []byte) *permission.Policy {
	t.Helper()
	p, err := parse(data)
	require.NoError(t, err)
	return p
}

// assertPlaces checks that each of the joined errors says where it is from.
func assertPlaces(t *testing.T, err error) {
	t.Helper()
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range joined.Unwrap() {
			assertPlaces(t, err)
		}
		return
	}
	var e *permission.ManifestError
	if !assert.True(t, errors.As(err, &e), "%T: %v", err, err) {
		return
	}
	assert.Equal(t, "manifest.toml", e.File)
	assert.True(t, e.Line > 0 || e.Key != "", "neither line nor key: %v", err)
	assert.True(t, strings.HasPrefix(err.Error(), "manifest.toml:"), "%v", err)
}

// values tells which bytes of a manifest stand in a value that decisions depend
// on: those of all keys before the tests that people do not write for people.
func values(manifest string) map[int]bool {
	rules, _, _ := strings.Cut(manifest, "[[permissions.test]]")
	value := regexp.MustCompile(`(?m)^(?:default_action|ask_timeout|name|kind|arguments|tool|pattern|action) = \[?"(.+)"`)
	bytes := make(map[int]bool)
	for _, m := range value.FindAllStringSubmatchIndex(rules, -1) {
		for at := m[2]; at < m[3]; at++ {
			bytes[at] = true
		}
	}
	return bytes
}

// blocks returns the tables under a header, each up to the blank line behind
// it.
func blocks(text, header string) []string {
	table := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(header) + `\n(?:.+\n)+`)
	return table.FindAllString(text, -1)
}
