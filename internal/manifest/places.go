package manifest

import (
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// place names a key of the document; an empty key is the entry as a whole.
type place struct {
	section Section
	number  int
	key     string
}

// places says in which order the keys of a document stand. The entries of an
// inline array are not told apart.
type places map[place]int

func placesOf(keys []toml.Key) places {
	at := make(places)
	count := make(map[Section]int)
	for i, k := range keys {
		i++ // 0 is what is not in the document
		switch {
		case k[0] != permissions:
			at.add(place{InHost, 0, keyText(k[0])}, i)
			if len(k) > 1 {
				at.add(place{InHost, 0, keyText(k[0]) + "." + keyText(k[1])}, i)
			}
		case len(k) == 1:
			at.add(place{InTable, 0, ""}, i)
		default:
			at.add(place{InTable, 0, keyText(k[1])}, i)
			section := sectionOf(k[1])
			if len(k) == 2 {
				count[section]++
				at.add(place{section, count[section], ""}, i)
			} else {
				at.add(place{section, count[section], keyText(k[2])}, i)
			}
		}
	}
	return at
}

func (p places) add(at place, i int) {
	if _, ok := p[at]; !ok {
		p[at] = i
	}
}

var sectionKeys = [...]string{InRules: "rule", InTools: "tool", InTests: "test"}

func sectionOf(key string) Section {
	return Section(max(int(InTable), slices.Index(sectionKeys[:], key)))
}

// entry returns where the entry of f starts, or the key if it is in none.
func (p places) entry(f Fault) int {
	if f.Number == 0 {
		return p.key(f)
	}
	if i, ok := p[place{f.Section, f.Number, ""}]; ok {
		return i
	}
	return p[place{InTable, 0, sectionKeys[f.Section]}]
}

// key returns where the key of f stands, or the one that it is in; for one that
// is missing, where its table starts.
func (p places) key(f Fault) int {
	if i, ok := p[place{f.Section, f.Number, f.Key}]; ok {
		return i
	}
	outer, _, _ := strings.Cut(f.Key, ".")
	if i, ok := p[place{f.Section, f.Number, outer}]; ok {
		return i
	}
	return p[place{f.Section, f.Number, ""}]
}
