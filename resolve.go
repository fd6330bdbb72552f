package permission

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxLinks bounds the links in one path, as Linux does.
const maxLinks = 40

var (
	errTooManyLinks = errors.New("too many links")
	errNotAbsolute  = errors.New("not an absolute path")
)

// ResolveSymlinks follows the symbolic links in an absolute path of this
// machine, those of the last component included. What does not exist is taken
// as it is named, so that a file that is yet to be written has a path too; a
// link to something that does not exist leads there. It is meant for
// [HookOptions.Resolve].
//
// What it finds holds for the moment: a link that is made after it has looked
// is not seen. Open files through an [os.Root] to be safe from that.
func ResolveSymlinks(path string) (string, error) {
	if !filepath.IsAbs(path) {
		return "", errNotAbsolute
	}
	volume := filepath.VolumeName(path)
	rest := strings.Split(filepath.ToSlash(path[len(volume):]), "/")
	done := volume + string(filepath.Separator)
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			done = filepath.Dir(done)
			continue
		}
		target, err := os.Readlink(filepath.Join(done, name))
		if err != nil {
			if done, err = plainComponent(done, name); err != nil {
				return "", err
			}
			continue
		}
		if links++; links > maxLinks {
			return "", errTooManyLinks
		}
		if filepath.IsAbs(target) {
			done = filepath.VolumeName(target) + string(filepath.Separator)
			target = target[len(filepath.VolumeName(target)):]
		}
		rest = append(strings.Split(filepath.ToSlash(target), "/"), rest...)
	}
	return done, nil
}

// plainComponent returns dir with a name in it that is no link.
func plainComponent(dir, name string) (string, error) {
	path := filepath.Join(dir, name)
	switch info, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.Mode()&fs.ModeSymlink == 0:
		return path, nil
	case err != nil:
		return "", err
	}
	return "", &fs.PathError{Op: "readlink", Path: path, Err: fs.ErrInvalid}
}
