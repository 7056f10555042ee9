package remote

import (
	"strings"
	"sync"

	"github.com/agentc-dev/agentc/runtime/model"
)

// Lack is something that servers may not know, as a bit.
type Lack uint64

// What a server is asked without: the usual name of the bound of a reply, the count of the tokens of a stream, marks for
// the cache, the form of the answer, a reply in parts. After them there is a bit for each row of the table of settings.
const (
	BoundName Lack = 1 << iota
	StreamUsage
	CacheMarks
	Form
	Streams
	firstSetting
)

// Lacking is what a server is asked without.
type Lacking struct {
	Left Lack
	// Most is how many tokens of a reply the model allows, Room how many this conversation leaves;
	// 0 until a request has asked for too many.
	Most, Room int
}

// Has reports whether something is left out.
func (l Lacking) Has(what Lack) bool { return l.Left&what != 0 }

// lacks is what a server was found not to know. It is safe for concurrent use.
type lacks struct {
	mu    sync.Mutex
	known Lacking
	// forms are the schemas that were refused: a server that knows forms may not know all of them.
	forms map[string]bool
}

// of is what a request with a schema is sent without from the start.
func (l *lacks) of(schema string) Lacking {
	l.mu.Lock()
	defer l.mu.Unlock()
	without := l.known
	if l.forms[schema] {
		without.Left |= Form
	}

	return without
}

// note remembers what a request was answered without.
func (l *lacks) note(without Lacking, schema string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if without.Has(Form) {
		if l.forms == nil {
			l.forms = map[string]bool{}
		}
		l.forms[schema] = true
	}
	l.known.Left |= without.Left &^ Form
	if without.Most > 0 && (l.known.Most == 0 || without.Most < l.known.Most) {
		l.known.Most = without.Most
	}
}

// setStreams remembers whether replies are asked for in parts.
func (l *lacks) setStreams(on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if on {
		l.known.Left &^= Streams
	} else {
		l.known.Left |= Streams
	}
}

// Rejected returns the lacks with the first of the fields of a request that a server does not know by
// its own words, if that is not left out already.
func (l Lacking) Rejected(f *Refusal, fields ...Field) Lacking {
	for _, field := range fields {
		if field.Sent && !l.Has(field.Lack) && f.Rejects(field.Name) {
			l.Left |= field.Lack

			return l
		}
	}

	return l
}

// SettingFields returns the settings that servers may refuse. nameOf returns the name of a setting in
// requests, or "" if the setting is never sent.
func SettingFields(r *model.Request, nameOf func(*model.Setting) string) (fields []Field) {
	if r.Model == nil {
		return nil
	}
	for i, setting := range model.SettingTable() {
		name := nameOf(setting)
		if setting.MayBeRefused && name != "" {
			sent := setting.Value(r.Model.Settings) != nil
			fields = append(fields, Field{Lack: firstSetting << i, Name: name, Sent: sent})
		}
	}

	return fields
}

// Field is a field of a request that can be left out.
type Field struct {
	Lack Lack
	Name string
	// Sent reports whether the request has it.
	Sent bool
}

// SettingsOf returns the settings that a request is sent with: those that it has, without what the server does not know.
func SettingsOf(r *model.Request, without Lacking) model.Settings {
	if r.Model == nil {
		return model.Settings{}
	}
	settings := r.Model.Settings
	for i, setting := range model.SettingTable() {
		if without.Has(firstSetting << i) {
			setting.Clear(&settings)
		}
	}

	return settings
}

// BadRequest reports whether the server said that the request is wrong, and not merely too long or refused.
func (f *Refusal) BadRequest() bool {
	switch f.Class {
	case model.BadRequest, model.Server, model.Other:
		return f.Status >= 400
	}

	return false
}

// Rejects reports whether a server claims not to know or support a field at all. That a value is
// too large, say, is no reason to leave the field out.
func (f *Refusal) Rejects(field string) bool {
	isNamed := f.Param == field
	if f.Param == "" {
		isNamed = strings.Contains(f.Message, field)
	}
	if f.Status >= 500 || !isNamed {
		return false
	}
	if strings.HasPrefix(f.Code, "unsupported_") || strings.HasPrefix(f.Code, "unknown_") {
		return true
	}

	return contains(strings.ToLower(f.Message), rejectWords)
}

// rejectWords are the expressions of servers for a field that they do not know.
var rejectWords = []string{
	"unsupported", "not support", "n't support", "unrecognized", "unknown", "unexpected", "not permitted", "not allowed", "extra", "deprecated",
}
