package temporal

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"

	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// Blobs store what is too large for histories, by content: a reference is the hash of the data, so that nothing is
// ever changed. All workers of a program, and all clients that read its results, need the same. An implementation is
// safe for concurrent use.
type Blobs interface {
	// Put stores data under a reference; existing data is not written again.
	Put(ctx context.Context, ref string, data []byte) error
	// Get returns the data of a reference, or an error that is fs.ErrNotExist for errors.Is.
	Get(ctx context.Context, ref string) ([]byte, error)
}

// Files stores blobs in a folder that all workers share.
type Files string

// refs are hashes, which are safe as names of files.
var refs = regexp.MustCompile(`^[0-9a-f]{64}$`)

// Put implements Blobs: the file is complete or does not exist, whenever the process dies.
func (f Files) Put(_ context.Context, ref string, data []byte) error {
	name, err := f.fileName(ref)
	if err != nil {
		return err
	}
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	incomplete := filepath.Join(dir, "new-"+rand.Text())
	defer os.Remove(incomplete)
	if err := files.WriteNew(files.OS, incomplete, data); err != nil {
		return err
	}

	return os.Rename(incomplete, name)
}

// Get implements Blobs.
func (f Files) Get(_ context.Context, ref string) ([]byte, error) {
	name, err := f.fileName(ref)
	if err != nil {
		return nil, err
	}

	return os.ReadFile(name)
}

func (f Files) fileName(ref string) (string, error) {
	if !refs.MatchString(ref) {
		return "", fmt.Errorf("%q is not a reference to a blob: %w", ref, fs.ErrNotExist)
	}

	return filepath.Join(string(f), ref[:2], ref), nil
}

// blobError means that a blob is missing, or has been changed. err is the cause; nil without one.
func blobError(ref, problem string, err error) error {
	text := "blob " + ref + " " + problem
	if err != nil {
		text += ": " + err.Error()
	}

	return &errs.Coded{Code: "BlobError", Text: text, Err: err}
}

// sealed are blobs behind codecs: what is there is encrypted if payloads are.
type sealed struct {
	blobs  Blobs
	codecs []converter.PayloadCodec
}

// storeData stores data and returns its reference.
func (s *sealed) storeData(ctx context.Context, data []byte) (ref string, err error) {
	payloads := []*commonpb.Payload{{Data: data}}
	for _, codec := range s.codecs {
		payloads, err = codec.Encode(payloads)
		if err != nil {
			return "", err
		}
	}

	return s.storePayload(ctx, payloads[0])
}

// storePayload stores a payload as it is.
func (s *sealed) storePayload(ctx context.Context, p *commonpb.Payload) (ref string, err error) {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(p)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	ref = hex.EncodeToString(sum[:])
	if err := s.blobs.Put(ctx, ref, data); err != nil {
		return "", blobError(ref, "cannot be kept", err)
	}

	return ref, nil
}

// loadPayload returns a payload that was stored.
func (s *sealed) loadPayload(ctx context.Context, ref string) (*commonpb.Payload, error) {
	data, err := s.blobs.Get(ctx, ref)
	if err != nil {
		return nil, blobError(ref, "cannot be read", err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != ref {
		return nil, blobError(ref, "is not what was kept under this reference", nil)
	}
	p := &commonpb.Payload{}
	if err := proto.Unmarshal(data, p); err != nil {
		return nil, blobError(ref, "is not a payload", err)
	}

	return p, nil
}

// loadData returns the data of a reference.
func (s *sealed) loadData(ctx context.Context, ref string) ([]byte, error) {
	p, err := s.loadPayload(ctx, ref)
	if err != nil {
		return nil, err
	}
	payloads := []*commonpb.Payload{p}
	for i := len(s.codecs) - 1; i >= 0; i-- {
		payloads, err = s.codecs[i].Decode(payloads)
		if err != nil {
			return nil, err
		}
	}

	return payloads[0].Data, nil
}
