package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The golden file is what the program prints, in both ways in which a server
// asks:
//
//	go run . >testdata/output.txt
func TestOutput(t *testing.T) {
	want, err := os.ReadFile("testdata/output.txt")
	require.NoError(t, err)
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		var got bytes.Buffer
		require.NoError(t, run(t.Context(), &got, version))
		assert.Equal(t, string(want), got.String(), version)
	}
}
