package anthropic

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/ssestream"

	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// FuzzAgainstTheSDK: where the SDK's own types put a stream together that keeps to the format, they come to the same texts,
// calls, tokens and reason. What they take and the reader refuses stands in refused; what is no such stream, in departs.
func FuzzAgainstTheSDK(f *testing.F) {
	for _, seed := range seeds() {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		want, ok := bySDK(body)
		if !ok {
			return
		}
		got, m, err := read(body, &strings.Builder{})
		if err != nil {
			if !refused(err, want, m.Endpoint.Key) {
				t.Fatalf("%q: %v, and the SDK reads %+v", body, err, want.message.Content)
			}

			return
		}
		if has, should := comparedOf(&got), want.compared(m.Endpoint.Key, got.Calls); !reflect.DeepEqual(has, should) {
			t.Errorf("%q:\ngot  %+v\nwant %+v", body, has, should)
		}
	})
}

// refused reports whether an error is for one of the reasons for which the reader refuses what the SDK takes.
func refused(err error, by *assembled, key remote.Key) bool {
	var broken *remote.Broken
	if !errors.As(err, &broken) {
		return false
	}
	switch broken.Class {
	case model.Refused: // a refusal is no answer: the caller is told so
		reason := reasons.Meaning(key.Clean(by.reason, remote.MaxWord))

		return reason == model.ReasonRefusal || reason == model.ReasonFilter
	case model.Other: // a reply without end must not fill the memory
		return by.size > mostRead || len(by.message.Content) > maxBlocks
	case model.Server: // nothing at all came, not even a message, or the end is not known to be a good one: asking again may help
		return !by.begun && len(by.message.Content) == 0 || !remote.IsReason(remote.Lenient(by.reason)) || broken.StopReason != ""
	}

	return false
}

// compared is what is compared of a reply.
type compared struct {
	text, reason string
	calls        []string
	usage        model.Usage
}

func comparedOf(reply *model.Reply) compared {
	s := compared{text: reply.Text, reason: reply.StopReason, usage: reply.Usage}
	for _, c := range reply.Calls {
		s.calls = append(s.calls, c.Name+c.Args)
	}

	return s
}

// assembled is a stream as the SDK puts it together.
type assembled struct {
	message sdk.Message
	// reason and output are the last that came: the SDK's message forgets them for an event without them.
	reason string
	output int64
	// begun says that there was a message at the beginning.
	begun bool
	size  int
}

// compared is what a reply should come to, with these calls. Arguments that are no JSON are {} to the SDK, and to us what the
// model wrote.
func (a *assembled) compared(key remote.Key, calls []model.ToolCall) compared {
	u := a.message.Usage
	s := compared{reason: reasons.Meaning(key.Clean(a.reason, remote.MaxWord)), usage: model.Usage{
		Input:  int(u.InputTokens + u.CacheReadInputTokens + u.CacheCreationInputTokens),
		Output: int(a.output), Cached: int(u.CacheReadInputTokens), Stored: int(u.CacheCreationInputTokens),
	}}
	for _, b := range a.message.Content {
		switch b.Type {
		case "text":
			s.text += b.Text
		case "tool_use":
			args := key.Hide(string(b.Input))
			if args == "" {
				args = "{}"
			}
			if nth := len(s.calls); args == "{}" && nth < len(calls) && !json.Valid([]byte(calls[nth].Args)) {
				args = calls[nth].Args
			}
			s.calls = append(s.calls, key.Hide(b.Name)+args)
		}
	}
	s.text, _, _ = remote.WithoutThoughts(s.text)
	s.text = key.Hide(s.text)

	return s
}

// bySDK puts a stream together with the SDK. ok is false if it cannot, or if the stream is no such as the format has it.
func bySDK(body []byte) (a *assembled, ok bool) {
	if !bytes.HasPrefix(body, []byte("event: message_start\n")) || bytes.ContainsRune(body, '\r') || !utf8.Valid(body) {
		return nil, false // the SDK knows one of the three line breaks, and no mark of the byte order
	}
	response := responseOf(bytes.NewReader(body))
	response.Header.Set("Content-Type", "text/event-stream")
	decoder := &watched{Decoder: ssestream.NewDecoder(response)}
	stream := ssestream.NewStream[sdk.MessageStreamEventUnion](decoder, nil)
	a = &assembled{size: len(body)}
	var had progress
	for stream.Next() {
		e := stream.Current()
		if had.departs(&a.message, &e) || a.message.Accumulate(e) != nil {
			return nil, false
		}
		a.note(&e)
	}

	return a, had.ended && stream.Err() == nil && !decoder.departs
}

// note keeps what the SDK's message does not.
func (a *assembled) note(e *sdk.MessageStreamEventUnion) {
	switch e.Type {
	case "message_start":
		a.begun = e.Message.RawJSON() != ""
		a.output = e.Message.Usage.OutputTokens
	case "message_delta":
		if reason := string(e.Delta.StopReason); reason != "" {
			a.reason = reason
		}
		if e.Usage.JSON.OutputTokens.Valid() {
			a.output = e.Usage.OutputTokens
		}
	}
}

// TestTheSDKComparesSomething: the streams of the tests are some that the SDK can put together.
func TestTheSDKComparesSomething(t *testing.T) {
	streams := 0
	for _, seed := range seeds() {
		if a, ok := bySDK([]byte(seed)); ok && len(a.message.Content) > 0 {
			streams++
		}
	}
	if streams != 2 {
		t.Errorf("%d streams", streams)
	}
}
