package casefile

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// annotations are for people; nothing depends on them.
const annotations = "source kind note why_sure debatable friction"

// parse reads one line. Which names it has says which form of case it is.
func parse(line []byte, base Env) (c Case, err error) {
	o, err := parseObject(line)
	if err != nil {
		return c, err
	}
	t := targets{"id": &c.ID}
	for name := range strings.FieldsSeq(annotations) {
		t[name] = new(any)
	}
	switch {
	case o.has("tool"):
		c.Call, err = readCall(o, t, base)
	case o.has("manifest"), o.has("manifest_b64"), o.has("manifest_gen"):
		c.Manifest, err = readManifest(o, t)
	case o.has("frontmatter"):
		c.Skill, err = readSkill(o, t)
	case o.has("scenario"):
		c.Flow, err = readFlow(o, t)
	default:
		err = errors.New("no known form of a case: want the tool of a call, a manifest, " +
			"the frontmatter of a skill or the scenario of a flow")
	}
	if err == nil && o.has("id") && c.ID == "" {
		err = errors.New(`"id" is empty`)
	}
	return c, err
}

func readCall(o object, t targets, base Env) (*Call, error) {
	var c Call
	var env envReader
	t["default_action"], t["want"] = action(&c.Default), action(&c.Want)
	t["rules"], t["env"] = rules(&c.Rules, "tool", "pattern", "action"), env.read
	t["tool"] = &c.Tool
	var in input
	t["input"], t["input_raw"], t["input_gen"] = in.object, &in.raw, in.generated
	if err := o.into(t); err != nil {
		return nil, err
	}
	if err := o.need("want"); err != nil {
		return nil, err
	}
	if o.has("rules") {
		if err := o.need("default_action"); err != nil {
			return nil, err
		}
	}
	var err error
	c.Env = env.over(base)
	c.Input, err = in.text(o)
	return &c, err
}

// action returns a target for one of the three words.
func action(word *string) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		if err := put(value, word); err != nil {
			return err
		}
		switch *word {
		case "allow", "ask", "deny":
			return nil
		}
		return fmt.Errorf("got %q, want allow, ask or deny", *word)
	}
}

// rules returns a target for a list of rules, each with the required names.
func rules(list *[]Rule, required ...string) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		var items []json.RawMessage
		if err := put(value, &items); err != nil {
			return err
		}
		*list = make([]Rule, len(items))
		for i, item := range items {
			if err := readRule(item, &(*list)[i], required); err != nil {
				return fmt.Errorf("number %d: %w", i+1, err)
			}
		}
		return nil
	}
}

func readRule(item json.RawMessage, r *Rule, required []string) error {
	o, err := parseObject(item)
	if err != nil {
		return err
	}
	err = o.into(targets{
		"tool": &r.Tool, "pattern": &r.Pattern, "action": action(&r.Action), "reason": &r.Reason,
	})
	if err != nil {
		return err
	}
	return o.need(required...)
}

// envReader reads an env and remembers what it leaves open.
type envReader struct {
	env   Env
	folds *bool
}

func (e *envReader) read(value json.RawMessage) error {
	o, err := parseObject(value)
	if err != nil {
		return err
	}
	err = o.into(targets{
		"goos": &e.env.GOOS, "cwd": &e.env.Root, "home": &e.env.Home, "case_insensitive": &e.folds,
	})
	if err != nil {
		return err
	}
	switch e.env.GOOS {
	case "", "linux", "darwin", "windows":
		return nil
	}
	return fmt.Errorf("goos is %q, want linux, darwin or windows", e.env.GOOS)
}

func (e *envReader) over(base Env) Env {
	full := e.env.or(base)
	full.CaseInsensitive = full.Folds()
	if e.folds != nil {
		full.CaseInsensitive = *e.folds
	}
	return full
}

func readManifest(o object, t targets) (*Manifest, error) {
	var m Manifest
	var plain, generated, want string
	var binary []byte // base64, as json.Unmarshal reads it
	t["manifest"], t["manifest_b64"], t["manifest_gen"] = &plain, &binary, repetition(&generated)
	t["want"], t["want_warning"] = &want, &m.Warning
	if err := o.into(t); err != nil {
		return nil, err
	}
	sources := 0
	for _, has := range []bool{plain != "", o.has("manifest_b64"), o.has("manifest_gen")} {
		if has {
			sources++
		}
	}
	if sources > 1 {
		return nil, errors.New("more than one of manifest, manifest_b64 and manifest_gen")
	}
	m.Data = append(append([]byte(plain), binary...), generated...)
	mention, refused := strings.CutPrefix(want, "error mentioning ")
	switch {
	case refused && mention != "":
		m.Mention = mention
	case want != "ok":
		return nil, fmt.Errorf(`"want" is %q, want "ok" or "error mentioning ..."`, want)
	}
	return &m, nil
}

func readSkill(o object, t targets) (*Skill, error) {
	var s Skill
	var text, want string
	t["frontmatter"], t["want"], t["want_error"], t["want_tools"] = &text, &want, &s.Mention, rules(&s.Tools, "tool", "pattern")
	if err := o.into(t); err != nil {
		return nil, err
	}
	s.Data, s.Unrestricted = []byte(text), want == "no restriction"
	wants := 0
	for _, has := range []bool{s.Unrestricted, s.Mention != "", o.has("want_tools")} {
		if has {
			wants++
		}
	}
	if wants != 1 || o.has("want") && !s.Unrestricted {
		return nil, errors.New(`want one of want_tools, want_error and "want": "no restriction"`)
	}
	return &s, nil
}

func readFlow(o object, t targets) (*Flow, error) {
	var f Flow
	t["group"], t["scenario"], t["want"] = &f.Group, &f.Scenario, &f.Want
	if err := o.into(t); err != nil {
		return nil, err
	}
	return &f, o.need("scenario", "want")
}
