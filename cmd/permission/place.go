package main

import (
	"errors"
	"flag"
	"path/filepath"

	"github.com/insomnia-run/permission"
)

// place is where calls run, as the flags say.
type place struct{ root, home string }

func (p *place) flags(f *flag.FlagSet, root, home string) {
	f.Var((*directory)(&p.root), "root", root)
	f.Var((*directory)(&p.home), "home", home)
}

func (p *place) options() *permission.Options {
	return &permission.Options{Root: p.root, Home: p.home}
}

// directory is the value of a flag, kept as an absolute path: a policy takes
// no other.
type directory string

func (d *directory) String() string { return string(*d) }

func (d *directory) Set(s string) error {
	if s == "" {
		return errors.New("empty")
	}
	abs, err := filepath.Abs(s)
	*d = directory(abs)
	return err
}
