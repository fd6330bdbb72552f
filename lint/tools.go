package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/manifest"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/visible"
)

// unknownTool finds rules for tools that the runtime does not have, where it is
// known which ones it has, and names that only a slip of the pen can be.
func (l *linter) unknownTool(r *rule) {
	for _, tool := range r.tools {
		name, literal := glob.Literal(tool)
		switch {
		case l.known(tool):
		case len(l.options.KnownTools) > 0 && literal:
			l.add(Fault, r, "unknown-tool", fmt.Sprintf("the runtime has no tool %s", visible.Quote(name)), l.instead(name))
		case len(l.options.KnownTools) > 0:
			l.add(Fault, r, "unknown-tool", fmt.Sprintf("the runtime has no tool that %s matches", visible.Quote(tool)),
				"write the names that it has: case counts")
		case literal && len(name) > 3 && swapped(name, l.nearest(name)):
			l.add(Fault, r, "unknown-tool", fmt.Sprintf("no tool %s is known, and case counts", visible.Quote(name)), l.instead(name))
		}
	}
}

// nearTool finds names that are nearly those of known tools.
func (l *linter) nearTool(r *rule) {
	if len(l.options.KnownTools) > 0 {
		return
	}
	for _, tool := range r.tools {
		name, literal := glob.Literal(tool)
		if near := l.nearest(name); literal && near != "" && !l.known(tool) && likely(name, near) {
			l.add(Advice, r, "near-tool", fmt.Sprintf("no tool %s is known", visible.Quote(name)), l.instead(name))
		}
	}
}

// declaredText finds what is allowed of a tool that is known to run commands, or
// to be for paths or URLs, where a declaration makes mere texts of them.
func (l *linter) declaredText(r *rule) {
	if !r.allows() || isStars(r.Pattern) {
		return
	}
	for _, tool := range r.tools {
		name, literal := glob.Literal(tool)
		kind := kindInTable(name)
		if !literal || kind == subject.Text || l.reader.MainKind(tool) != subject.Text {
			continue
		}
		l.add(Advice, r, "declared-text",
			fmt.Sprintf("%s is declared with the kind text, so that %s is matched with letters alone: no second command and no .. is seen in them",
				visible.Quote(name), visible.Quote(r.Pattern)),
			fmt.Sprintf("declare it with the kind %v, or not at all", kind))
	}
}

// kindInTable returns what the calls of a known tool are foremost about, or
// Text for any other.
func kindInTable(name string) subject.Kind {
	for _, row := range subject.Table() {
		if slices.Contains(row.Names, name) {
			return row.Arguments[0].Kind
		}
	}
	return subject.Text
}

// likely reports whether a name is near enough to that of a tool to be meant for
// it: letters and signs too many or too few. Another letter often makes another
// word.
func likely(name, near string) bool {
	bare := strings.NewReplacer("_", "", "-", "")
	return len(name) > 3 && (len(name) != len(near) || strings.EqualFold(bare.Replace(name), bare.Replace(near)))
}

func (l *linter) instead(name string) string {
	if near := l.nearest(name); near != "" {
		return fmt.Sprintf("write %s, if that is meant", visible.Quote(near))
	}
	return "write the name that calls have"
}

// names returns globs over the names of the tools that are known.
func (l *linter) names() []string {
	var all []string
	for _, name := range l.options.KnownTools {
		alts, _ := glob.Expand(name)
		all = append(all, alts...)
	}
	if all != nil {
		return all
	}
	for _, t := range l.options.Tools {
		alts, _ := glob.Expand(t.Name)
		all = append(all, alts...)
	}
	for _, row := range subject.Table() {
		all = append(all, row.Names...)
	}
	return all
}

// known reports whether a glob over tool names may match a known one.
func (l *linter) known(tool string) bool { return meetsAny(tool, l.names(), false) }

// knownFolded is known where case does not count.
func (l *linter) knownFolded(tool string) bool { return meetsAny(tool, l.names(), true) }

func meetsAny(tool string, names []string, fold bool) bool {
	if !fold && slices.Contains(names, tool) {
		return true
	}
	this := glob.Compile(tool, glob.Options{Fold: fold})
	return slices.ContainsFunc(names, func(name string) bool {
		other := glob.Compile(name, glob.Options{Fold: fold})
		return this.MeetsGlob(other)
	})
}

// alias returns globs over the tools that a name in a skill stands for.
func (l *linter) alias(name string) []string {
	for from, to := range l.options.SkillAliases {
		if strings.EqualFold(from, name) {
			alts, _ := glob.Expand(to)
			return alts
		}
	}
	return []string{name}
}

// nearest returns the known name that one may be meant for, or nothing.
func (l *linter) nearest(name string) string {
	var names []string
	for _, n := range l.names() {
		if literal, ok := glob.Literal(n); ok {
			names = append(names, literal)
		}
	}
	near := name
	if !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) }) {
		near = manifest.Nearest(name, names...)
		if near == "" || near[0]|0x20 != name[0]|0x20 && !swapped(name, near) {
			return ""
		}
	}
	return spelt(near, name, names)
}

// spelt returns the one of names that is a word but for case, and of these the
// one that is written most like what was written.
func spelt(word, written string, names []string) string {
	best, most := "", -1
	for _, n := range names {
		if alike := alike(n, written); strings.EqualFold(n, word) && alike > most {
			best, most = n, alike
		}
	}
	return best
}

// alike counts the letters at the start and the end that two words share.
func alike(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for i := 1; n < min(len(a), len(b)) && a[len(a)-i] == b[len(b)-i]; i++ {
		n++
	}
	return n
}

// swapped reports whether two letters next to each other have changed places.
func swapped(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
