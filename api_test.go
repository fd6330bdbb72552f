package permission_test

import (
	"bytes"
	"flag"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var updateAPI = flag.Bool("update-api", false, "write the testdata/api.txt of each package anew")

// The testdata/api.txt of a package holds its exported API. A change of it is a
// change for everybody who imports the package, so it shows in a diff of its
// own.
func TestAPI(t *testing.T) {
	adapters, err := filepath.Glob("adapters/*") // modules of their own, in the repository alone
	require.NoError(t, err)
	for _, dir := range append([]string{".", "approve", "lint", "permissiontest"}, adapters...) {
		t.Run(dir, func(t *testing.T) { checkAPI(t, dir) })
	}
}

func checkAPI(t *testing.T, dir string) {
	got, file := exportedAPI(t, dir), filepath.Join(dir, "testdata", "api.txt")
	if *updateAPI {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	old, now := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for _, line := range old {
		assert.True(t, slices.Contains(now, line), "gone: %s", line)
	}
	for _, line := range now {
		assert.True(t, slices.Contains(old, line), "new: %s", line)
	}
	assert.True(t, string(want) == got, "run go test -run TestAPI . -update-api, and look at the diff")
	assert.NotContains(t, got, "toml.", "no dependency's type in the exported API")
	assert.NotContains(t, got, "glob.")
	assert.NotContains(t, got, "jsontext.")
	assert.NotContains(t, got, "yaml.")
}

// exportedAPI returns the exported declarations of the package in dir, without
// comments and bodies, one after the other in order of their text. It fails for
// what is not documented.
func exportedAPI(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	fset := token.NewFileSet()
	var decls []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		require.NoError(t, err)
		documented(t, fset, f)
		ast.FileExports(f)
		f.Comments = nil
		for _, d := range f.Decls {
			if m, ok := d.(*ast.FuncDecl); ok && !exportedReceiver(m) {
				continue // of a type that nobody can name
			}
			decls = append(decls, source(t, d))
		}
	}
	sort.Strings(decls)
	return strings.Join(decls, "\n\n") + "\n"
}

func source(t *testing.T, d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		d.Doc, d.Body = nil, nil
	case *ast.GenDecl:
		if d.Tok == token.IMPORT {
			return ""
		}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				n.Doc, n.Comment = nil, nil
			case *ast.ValueSpec:
				n.Doc, n.Comment = nil, nil
			case *ast.TypeSpec:
				n.Doc, n.Comment = nil, nil
			case *ast.StructType:
				n.Incomplete = false // no remark on fields that are not exported
			}
			return true
		})
		d.Doc = nil
	}
	var b bytes.Buffer
	require.NoError(t, format.Node(&b, token.NewFileSet(), d))
	return b.String()
}

// documented fails for an exported declaration, constant, variable or field
// without a comment.
func documented(t *testing.T, fset *token.FileSet, f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if exportedReceiver(d) {
				hasComment(t, fset, []*ast.Ident{d.Name}, d.Doc)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				documentedSpec(t, fset, d, s)
			}
		}
	}
}

func documentedSpec(t *testing.T, fset *token.FileSet, d *ast.GenDecl, s ast.Spec) {
	own := d.Doc // of a group it is nobody's own
	if d.Lparen.IsValid() {
		own = nil
	}
	switch s := s.(type) {
	case *ast.ValueSpec:
		hasComment(t, fset, s.Names, own, s.Doc, s.Comment)
	case *ast.TypeSpec:
		hasComment(t, fset, []*ast.Ident{s.Name}, own, s.Doc)
		if fields, ok := s.Type.(*ast.StructType); ok && s.Name.IsExported() {
			for _, field := range fields.Fields.List {
				hasComment(t, fset, field.Names, field.Doc, field.Comment)
			}
		}
	}
}

// hasComment fails if names has an exported one and there is no comment.
func hasComment(t *testing.T, fset *token.FileSet, names []*ast.Ident, comments ...*ast.CommentGroup) {
	if slices.ContainsFunc(comments, func(c *ast.CommentGroup) bool { return c != nil }) {
		return
	}
	for _, name := range names {
		assert.False(t, name.IsExported(), "%s: %s has no comment", fset.Position(name.Pos()), name)
	}
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	x := d.Recv.List[0].Type
	if star, ok := x.(*ast.StarExpr); ok {
		x = star.X
	}
	id, ok := x.(*ast.Ident)
	return ok && id.IsExported()
}
