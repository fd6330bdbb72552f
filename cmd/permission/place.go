package main

import (
	"errors"
	"flag"
	"path/filepath"

	"github.com/insomnia-run/permission"
)

// place is where calls run, and what runs their command lines, as the flags say.
type place struct{ root, home, shell string }

func (p *place) flags(f *flag.FlagSet, root, home string) {
	f.Var((*directory)(&p.root), "root", root)
	f.Var((*directory)(&p.home), "home", home)
	f.Var((*shellName)(&p.shell), "shell", "the `SHELL` that runs command lines: bash, posix, zsh or powershell (default: bash)")
}

func (p *place) options() *permission.Options {
	return &permission.Options{Root: p.root, Home: p.home, Shell: p.shell}
}

// shellName is the value of a flag that names a shell as permission.Options does.
type shellName string

func (s *shellName) String() string { return string(*s) }

func (s *shellName) Set(name string) error {
	switch name {
	case "bash", "posix", "zsh", "powershell":
		*s = shellName(name)
		return nil
	}
	return errors.New("want bash, posix, zsh or powershell")
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
