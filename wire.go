package permission

import (
	"errors"
	"fmt"
	"strings"

	"github.com/insomnia-run/permission/internal/subject"
)

// The words below are those of manifests and of the JSON form of requests and
// replies. They are stable: a client may be of another version.

// MarshalText returns the word that String does; an Action without one is an
// error.
func (a Action) MarshalText() ([]byte, error) { return marshalWord(actionNames[:], a) }

// UnmarshalText reads a word as ParseAction does. With an error a is as it was.
func (a *Action) UnmarshalText(text []byte) error {
	v, err := ParseAction(string(text))
	if err == nil {
		*a = v
	}
	return err
}

// MarshalText returns the word that String does; a Cause without one is an
// error.
func (c Cause) MarshalText() ([]byte, error) { return marshalWord(causeNames[:], c) }

// UnmarshalText reads what MarshalText returns. With an error c is as it was.
func (c *Cause) UnmarshalText(text []byte) error { return unmarshalWord(causeNames[:], text, c) }

// MarshalText returns the word that String does; a Kind without one is an error.
func (k Kind) MarshalText() ([]byte, error) { return marshalWord(kindNames(), k) }

// UnmarshalText reads what MarshalText returns. With an error k is as it was.
func (k *Kind) UnmarshalText(text []byte) error { return unmarshalWord(kindNames(), text, k) }

// MarshalText returns the word that String does; an Answer without one is an
// error.
func (a Answer) MarshalText() ([]byte, error) { return marshalWord(answerNames[:], a) }

// UnmarshalText reads what MarshalText returns. A word that is no answer is an
// error, never a rejection that nobody meant, and then a is as it was.
func (a *Answer) UnmarshalText(text []byte) error { return unmarshalWord(answerNames[:], text, a) }

// kindNames returns the words for kinds in their order.
func kindNames() []string {
	var names []string
	for k := Text; k <= Patch; k++ {
		names = append(names, k.String())
	}
	return names
}

// marshalWord returns the word for v. A value that has none is an error: a
// client would not know it either.
func marshalWord[T ~uint8](words []string, v T) ([]byte, error) {
	if int(v) >= len(words) {
		return nil, fmt.Errorf("permission: no word for %T(%d)", v, uint8(v))
	}
	return []byte(words[v]), nil
}

// unmarshalWord sets v to what a word stands for. With an error v is as it was.
func unmarshalWord[T ~uint8](words []string, text []byte, v *T) error {
	for i, word := range words {
		if string(text) == word {
			*v = T(i)
			return nil
		}
	}
	return fmt.Errorf("permission: unknown %T %q: want one of %s", *v, text, strings.Join(words, ", "))
}

// UnmarshalJSON reads a reply strictly, since a yes in it may run something: no
// member that it knows may be there twice, in another case or of another type,
// and there must be an answer. Members that it does not know are passed over.
// With an error r is as it was.
func (r *Reply) UnmarshalJSON(data []byte) error {
	members, err := subject.Members(data, "id", "answer", "message")
	if err != nil {
		return fmt.Errorf("permission: a reply: %w", err)
	}
	answer, ok := members["answer"]
	if !ok {
		return errors.New("permission: a reply without an answer: want reject, once or always")
	}
	reply := Reply{ID: members["id"], Message: members["message"]}
	if err := reply.Answer.UnmarshalText([]byte(answer)); err != nil {
		return err
	}
	*r = reply
	return nil
}
