package index

import (
	"slices"
	"sync"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/text"
)

const (
	// maxNames bounds the names of tools of which a list is kept though no rule
	// spells them.
	maxNames = 64
	// maxMerged bounds how many entries, for each rule, the lists have that are
	// made beforehand: tools times rules with a wildcard is quadratic.
	maxMerged = 8
)

// A list is the rules for one tool, in their order.
type list struct {
	rules []int32
	sets  [subject.Patch]set // by kind
}

// lists hold the list of each tool that a rule names, and those of a few more.
type lists struct {
	named map[string]*list
	own   map[string][]int32 // the rules that name a tool
	wild  []wildcard

	mu    sync.RWMutex
	other map[string]*list
}

// A wildcard is a rule for all tools that a glob matches.
type wildcard struct {
	rule  int32
	tools glob.Pattern
}

// fill reads which rules are for which tool, and makes the lists of the tools
// that rules name, as many of them as are cheap to have.
func (ls *lists) fill(rules []rule) {
	ls.named, ls.own, ls.other = make(map[string]*list), make(map[string][]int32), make(map[string]*list)
	var order []string
	for i := range rules {
		var wild []string
		for _, tool := range rules[i].tools {
			name, literal := glob.Literal(tool)
			switch {
			case !literal:
				wild = append(wild, tool)
			case ls.own[name] == nil:
				order = append(order, name)
				fallthrough
			default:
				ls.own[name] = append(ls.own[name], int32(i))
			}
		}
		if len(wild) > 0 {
			ls.wild = append(ls.wild, wildcard{int32(i), subject.Names(wild)})
		}
	}
	for left := maxMerged * (len(rules) + maxNames); left > 0 && len(order) > 0; order = order[1:] {
		left -= len(ls.own[order[0]]) + len(ls.wild)
		ls.named[order[0]] = ls.make(rules, order[0])
	}
}

// of returns the list for a tool.
func (ls *lists) of(rules []rule, tool string) *list {
	if l, ok := ls.named[tool]; ok {
		return l
	}
	ls.mu.RLock()
	l := ls.other[tool]
	ls.mu.RUnlock()
	if l != nil {
		return l
	}
	l = ls.make(rules, tool)
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if len(ls.other) >= maxNames {
		clear(ls.other)
	}
	ls.other[tool] = l
	return l
}

func (ls *lists) make(rules []rule, tool string) *list {
	l := &list{rules: slices.Clone(ls.own[tool])}
	name := []text.Reading{{Text: text.Of(tool), Form: text.Whole}}
	for i := range ls.wild {
		if ls.wild[i].tools.Must(name) {
			l.rules = append(l.rules, ls.wild[i].rule)
		}
	}
	slices.Sort(l.rules)
	l.rules = slices.Compact(l.rules)
	for k := range l.sets {
		l.sets[k] = newSet(rules, l.rules, subject.Kind(k))
	}
	return l
}
