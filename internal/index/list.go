package index

import (
	"hash/maphash"
	"slices"
	"sync"
	"sync/atomic"

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
	tool  string
	rules []int32
	sets  [subject.Patch]set // by kind
}

// lists hold the list of each tool that a rule names, and those of a few more.
type lists struct {
	own  map[string][]int32 // the rules that name a tool
	wild []wildcard

	named table
	mu    sync.Mutex            // held while other is replaced
	other atomic.Pointer[table] // of names that no rule spells
}

// A wildcard is a rule for all tools that a glob matches.
type wildcard struct {
	rule  int32
	tools glob.Pattern
}

// fill notes which rules are for which tools, and makes the lists of the tools
// that rules name, as many as are cheap to have. The others are made when they
// are asked for.
func (ls *lists) fill(rs *Rules, tools [][]string) {
	ls.own = make(map[string][]int32)
	var order []string
	for i := range tools {
		var wild []string
		for _, tool := range tools[i] {
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
	var all []*list
	for left := maxMerged * (len(tools) + maxNames); left > 0 && len(all) < len(order); {
		l := ls.make(rs, order[len(all)])
		left -= len(ls.own[l.tool]) + len(ls.wild)
		all = append(all, l)
	}
	ls.named = newTable(all)
	ls.other.Store(&table{})
}

// of returns the list for a tool.
func (ls *lists) of(rs *Rules, tool string) *list {
	if l := ls.named.of(tool); l != nil {
		return l
	}
	if l := ls.other.Load().of(tool); l != nil {
		return l
	}
	l := ls.make(rs, tool)
	ls.mu.Lock()
	defer ls.mu.Unlock()
	kept := ls.other.Load().all()
	if len(kept) >= maxNames {
		kept = nil
	}
	other := newTable(append(kept, l))
	ls.other.Store(&other)
	return l
}

// make makes the list for a tool.
func (ls *lists) make(rs *Rules, tool string) *list {
	l := &list{tool: tool, rules: slices.Clone(ls.own[tool])}
	name := []text.Reading{{Text: text.Of(tool), Form: text.Whole}}
	for i := range ls.wild {
		if ls.wild[i].tools.Must(name) {
			l.rules = append(l.rules, ls.wild[i].rule)
		}
	}
	slices.Sort(l.rules)
	l.rules = slices.Compact(l.rules)
	for k := range l.sets {
		l.sets[k] = newSet(rs, l.rules, subject.Kind(k))
	}
	return l
}

// A table finds lists by the name of their tool. It is a map that takes less
// time, since that would be a good part of a decision. The zero value is empty.
type table struct {
	seed  maphash.Seed
	slots []*list // as many as a power of two, half of them free at least
}

// newTable returns the table of lists for different tools.
func newTable(all []*list) table {
	size := 4
	for size < 2*len(all) {
		size *= 2
	}
	t := table{maphash.MakeSeed(), make([]*list, size)}
	for _, l := range all {
		i := t.slot(l.tool)
		for t.slots[i] != nil {
			i = (i + 1) & (len(t.slots) - 1)
		}
		t.slots[i] = l
	}
	return t
}

// of returns the list of a tool, or nil. A nil table is empty, too.
func (t *table) of(tool string) *list {
	if t == nil || len(t.slots) == 0 {
		return nil
	}
	i := t.slot(tool)
	for ; t.slots[i] != nil && t.slots[i].tool != tool; i = (i + 1) & (len(t.slots) - 1) {
	}
	return t.slots[i]
}

// slot returns where the list of a tool is looked for first.
func (t *table) slot(tool string) int {
	return int(maphash.String(t.seed, tool)) & (len(t.slots) - 1)
}

// all returns the lists in t, in no order.
func (t *table) all() (all []*list) {
	if t == nil {
		return nil
	}
	for _, l := range t.slots {
		if l != nil {
			all = append(all, l)
		}
	}
	return all
}
