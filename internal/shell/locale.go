package shell

import "strings"

// isLocale reports whether a variable says in which characters the shell reads.
// In those of Big5 or GBK a backslash may be the second half of one, and mean
// nothing.
func isLocale(name string) bool { return name == "LANG" || strings.HasPrefix(name, "LC_") }

// keepsASCII reports whether a locale surely leaves the characters that mean
// something to the shell what they are.
func keepsASCII(locale string) bool {
	switch locale {
	case "", "C", "POSIX":
		return true
	}
	place, charset, ok := strings.Cut(locale, ".")
	charset, variant, varies := strings.Cut(charset, "@")
	switch strings.ToLower(charset) {
	case "utf-8", "utf8":
		return ok && isName(place) && (!varies || isName(variant))
	}
	return false
}
