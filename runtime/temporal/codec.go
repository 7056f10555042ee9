package temporal

import (
	"context"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"
)

// inHistory is how many bytes of a payload are in a history at most: Temporal warns of larger ones, and refuses those of 2 MiB.
const inHistory = 256 << 10

// blobEncoding marks a payload that is a reference.
const blobEncoding = "agentc/blob"

// dataConverter is how clients and workers of programs write payloads: as JSON, through the codecs, in that order, and what is
// then too large for a history into the blobs.
func dataConverter(blobs *sealed) converter.DataConverter {
	// A converter decodes with the last codec first, and encodes with the last first, too: the outermost one is first.
	codecs := []converter.PayloadCodec{&claims{blobs}}
	for i := len(blobs.codecs) - 1; i >= 0; i-- {
		codecs = append(codecs, blobs.codecs[i])
	}

	return converter.NewCodecDataConverter(converter.GetDefaultDataConverter(), codecs...)
}

// claims puts large payloads into the blobs and leaves references.
type claims struct{ blobs *sealed }

// Encode implements converter.PayloadCodec.
func (c *claims) Encode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	out := make([]*commonpb.Payload, len(payloads))
	for i, p := range payloads {
		if out[i] = p; proto.Size(p) <= inHistory {
			continue
		}
		ref, err := c.blobs.keep(context.Background(), p)
		if err != nil {
			return nil, err
		}
		out[i] = &commonpb.Payload{
			Metadata: map[string][]byte{converter.MetadataEncoding: []byte(blobEncoding)}, Data: []byte(ref),
		}
	}

	return out, nil
}

// Decode implements converter.PayloadCodec.
func (c *claims) Decode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	out := make([]*commonpb.Payload, len(payloads))
	for i, p := range payloads {
		out[i] = p
		if string(p.GetMetadata()[converter.MetadataEncoding]) != blobEncoding {
			continue
		}
		claimed, err := c.blobs.take(context.Background(), string(p.Data))
		if err != nil {
			return nil, err
		}
		out[i] = claimed
	}

	return out, nil
}
