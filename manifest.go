package permission

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/insomnia-run/permission/internal/manifest"
	"github.com/insomnia-run/permission/internal/visible"
)

// A ManifestError is one thing that is wrong with a manifest, with a SKILL.md,
// or with what Compile was given. Functions that return one look for all of them
// and return them joined, as by [errors.Join], in the order of the source; of
// those in one file the first hundred, and then one that says how many more there
// are.
type ManifestError struct {
	File string // as it was given; empty where there is none
	Line int    // of the rule or other entry; 0 where it is not known
	Rule int    // the number of the rule, from 1; 0 where the fault is in none
	Key  string // as in "pattern" or "tool[2].kind"; empty where it is not one key's
	Err  error  // what was found and what is wanted
}

// Error returns the place and the fault on one line:
//
//	policy.toml:12: rule 3: pattern: missing: the key is required
func (e *ManifestError) Error() string {
	place := []string{cmp.Or(visible.Place(e.File, e.Line), "permission")}
	if e.Rule > 0 {
		place = append(place, "rule "+strconv.Itoa(e.Rule))
	}
	if e.Key != "" {
		place = append(place, e.Key)
	}
	return strings.Join(place, ": ") + ": " + e.Err.Error()
}

// Unwrap returns Err.
func (e *ManifestError) Unwrap() error { return e.Err }

// Load reads the manifest in a file, as ParseManifest does. A file that is
// missing or cannot be read is an error, never a policy.
func Load(file string, o *Options) (*Policy, error) {
	data, err := readManifest(file)
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err // the path is in the ManifestError
	}
	if err != nil {
		return nil, &ManifestError{File: file, Err: fmt.Errorf("cannot be read: %w", err)}
	}
	return ParseManifest(file, data, o)
}

// readManifest returns what is in a file, up to the first byte that is too
// much.
func readManifest(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, manifest.MaxSize+1))
}

// ParseManifest returns the policy of the [permissions] table of a TOML
// manifest. Without that table the policy is disabled, see Policy.Enabled;
// other tables are the host's and are passed over, unless they look as if they
// were meant to be that one.
//
// A manifest is taken whole or not at all: an unknown key, a wrong type, a
// value that means nothing, a bad pattern, or an example or test that fails is
// an error, and with an error there is no policy. The error joins a
// *ManifestError for everything that is wrong. Examples and tests are looked
// at once nothing else is.
//
// The file only names the manifest in rules and errors. The manifest's own
// tools are read before Options.Tools. ParseManifest keeps no reference to
// data or o.
func ParseManifest(file string, data []byte, o *Options) (*Policy, error) {
	p, doc, err := parseManifest(file, data, o)
	if err != nil {
		return nil, err
	}
	if err := failures(file, p.checks(file, doc)); err != nil {
		return nil, err
	}
	return p, nil
}

// failures joins the first of those checks that failed, if any did.
func failures(file string, checks []Check) error {
	var errs []error
	var more manifest.More
	for _, c := range checks {
		switch {
		case c.Passed():
		case len(errs) < manifest.MaxFaults:
			errs = append(errs, c.failure())
		default:
			more++
		}
	}
	if more > 0 {
		errs = append(errs, &ManifestError{File: file, Err: more})
	}
	return errors.Join(errs...)
}

// CheckManifest returns how every example and test in a manifest comes out,
// whether or not it passes: the examples in the order of the rules, then the
// tests. A manifest that is faulty otherwise is an error, as in ParseManifest.
func CheckManifest(file string, data []byte, o *Options) ([]Check, error) {
	p, doc, err := parseManifest(file, data, o)
	if err != nil {
		return nil, err
	}
	return p.checks(file, doc), nil
}

// parseManifest reads a manifest up to its examples and tests.
func parseManifest(file string, data []byte, o *Options) (*Policy, *manifest.Document, error) {
	doc, faults := manifest.Read(data)
	if doc == nil || !doc.Enabled {
		if len(faults) > 0 {
			return nil, nil, manifestError(file, faults)
		}
		p, err := disabled(o)
		return p, doc, err
	}
	m := draft{file: file, doc: doc, faults: faults}
	p, other := m.compile(o)
	if len(m.faults) > 0 || other != nil {
		return nil, nil, errors.Join(manifestError(file, doc.First(m.faults)), other)
	}
	return p, doc, nil
}

// disabled returns the policy of a manifest without a [permissions] table. It
// knows how calls are read, since a skill restricts them all the same.
func disabled(o *Options) (*Policy, error) {
	p, err := newPolicy(stateDisabled, o)
	if err != nil {
		return nil, err
	}
	p.hash = p.sum()
	return p, nil
}

// manifestError joins faults in the order that they have.
func manifestError(file string, faults []manifest.Fault) error {
	errs := make([]error, len(faults))
	for i, f := range faults {
		e := &ManifestError{File: file, Line: f.Line, Key: f.Key, Err: f.Err}
		switch f.Section {
		case manifest.InRules:
			e.Rule = f.Number
		case manifest.InTools:
			e.Key = entryKey("tool", f.Number, f.Key)
		case manifest.InTests:
			e.Key = entryKey("test", f.Number, f.Key)
		}
		errs[i] = e
	}
	return errors.Join(errs...)
}

// entryKey names a key of an entry of an array of tables, or the entry itself.
func entryKey(section string, number int, key string) string {
	if key == "" {
		return fmt.Sprintf("%s[%d]", section, number)
	}
	return fmt.Sprintf("%s[%d].%s", section, number, key)
}

// A draft is a document on its way to a policy. What is faulty in it is
// replaced by something that compiles, so that the rest is looked at too and
// rules keep their numbers; with a fault the policy is thrown away.
type draft struct {
	file   string
	doc    *manifest.Document
	faults []manifest.Fault
}

// compile returns the policy of the document. The error holds what is wrong
// elsewhere, in o; faults of the document are added to m.
func (m *draft) compile(o *Options) (*Policy, error) {
	var opts Options
	if o != nil {
		opts = *o
	}
	opts.Tools = slices.Concat(m.tools(), opts.Tools)
	opts.HarmlessEnv = slices.Concat(m.doc.HarmlessEnv, opts.HarmlessEnv)
	fallback := m.action(manifest.Fault{Section: manifest.InTable, Key: "default_action"}, m.doc.DefaultAction)
	for i, t := range m.doc.Tests {
		m.action(manifest.Fault{Section: manifest.InTests, Number: i + 1, Line: t.Line, Key: "want"}, t.Want)
	}
	p, err := Compile(fallback, m.rules(), &opts)
	if err != nil {
		return nil, m.take(err)
	}
	p.timeout = m.doc.AskTimeout
	p.hash = p.sum()
	return p, nil
}

// take adds the faults of rules in err to m and returns the others.
func (m *draft) take(err error) (other error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var others []error
		for _, err := range joined.Unwrap() {
			others = append(others, m.take(err))
		}
		return errors.Join(others...)
	}
	e, ok := err.(*ManifestError)
	if !ok || e.Rule == 0 {
		return err
	}
	m.faults = append(m.faults, manifest.Fault{
		Section: manifest.InRules, Number: e.Rule, Line: e.Line, Key: e.Key, Err: e.Err,
	})
	return nil
}

// fault adds err, if any, at a place.
func (m *draft) fault(at manifest.Fault, err error) {
	if err != nil {
		at.Err = err
		m.faults = append(m.faults, at)
	}
}

// rules returns a rule for each in the document.
func (m *draft) rules() []Rule {
	rules := make([]Rule, len(m.doc.Rules))
	for i, r := range m.doc.Rules {
		at := manifest.Fault{Section: manifest.InRules, Number: i + 1, Line: r.Line, Key: "action"}
		rules[i] = Rule{
			Tool: r.Tool, Pattern: r.Pattern, Action: m.action(at, r.Action),
			Reason: r.Reason, File: m.file, Line: r.Line,
		}
		if r.Tool == "" { // and so nobody knows what the pattern is for
			rules[i].Tool, rules[i].Pattern = "*", "*"
		}
		if r.Pattern == "" {
			rules[i].Pattern = "*"
		}
	}
	return rules
}

// tools returns the declarations of the document that are without fault.
func (m *draft) tools() []Tool {
	var tools []Tool
	for i, d := range m.doc.Tools {
		t := Tool{Name: d.Name, Arguments: d.Arguments, Optional: d.Optional}
		at := manifest.Fault{Section: manifest.InTools, Number: i + 1, Line: d.Line}
		if d.Name != "" {
			at.Key = "name"
			m.fault(at, checkToolGlob(d.Name))
		}
		var err error
		if t.Kind, err = parseKind(d.Kind); err != nil && d.Kind != "" {
			at.Key = "kind"
			m.fault(at, err)
		}
		if err == nil && t.check() == nil {
			tools = append(tools, t)
		}
	}
	return tools
}

// action returns the action of that name, and Deny for none. That it is empty has
// been reported.
func (m *draft) action(at manifest.Fault, name string) Action {
	if name == "" {
		return Deny
	}
	a, err := ParseAction(name)
	if near := nearAction(name); err != nil && near != "" {
		err = fmt.Errorf("%w (did you mean %q?)", err, near)
	}
	m.fault(at, err)
	return a
}

// nearAction returns the action that a word may be meant for: a misspelling of
// it, or what others call it.
func nearAction(word string) string {
	switch strings.ToLower(word) {
	case "block", "disallow", "forbid", "refuse", "reject":
		return Deny.String()
	case "approve", "confirm", "prompt", "review":
		return Ask.String()
	case "accept", "grant", "permit":
		return Allow.String()
	}
	return manifest.Nearest(word, actionNames[:]...)
}

// parseKind returns the kind that a manifest calls by that name.
func parseKind(name string) (Kind, error) {
	names := kindNames()
	if i := slices.Index(names, name); i >= 0 {
		return Kind(i), nil
	}
	err := fmt.Errorf("unknown kind %q: want one of %s", name, strings.Join(names, ", "))
	if near := manifest.Nearest(name, names...); near != "" {
		err = fmt.Errorf("%w (did you mean %q?)", err, near)
	}
	return Text, err
}
