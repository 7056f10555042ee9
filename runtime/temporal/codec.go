package temporal

import (
	"context"
	"slices"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

// inHistory is how many bytes of a payload are in a history at most: Temporal warns of larger ones, and refuses those of 2 MiB.
const inHistory = 256 << 10

// blobEncoding marks a payload that is a reference.
const blobEncoding = "agentc/blob"

// DataConverter returns the value for client.Options.DataConverter of a client of the program's runs: payloads are JSON that
// goes through the codecs, in their order, and what is then too large for a history is in the blobs.
func (o Options) DataConverter(p *compiled.Program) converter.DataConverter {
	with := o.withDefaults(p)
	// A converter decodes with the last codec first, and encodes with the last first, too: the outermost one is first.
	codecs := append(slices.Clone(with.Codecs), &claims{with.blobStore()})
	slices.Reverse(codecs)

	return converter.NewCodecDataConverter(converter.GetDefaultDataConverter(), codecs...)
}

// claims puts large payloads into the blobs and leaves references.
type claims struct{ blobs *sealed }

// Encode implements converter.PayloadCodec.
func (c *claims) Encode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	out := make([]*commonpb.Payload, len(payloads))
	for i, p := range payloads {
		out[i] = p
		if proto.Size(p) <= inHistory {
			continue
		}
		ref, err := c.blobs.storePayload(context.Background(), p)
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
		claimed, err := c.blobs.loadPayload(context.Background(), string(p.Data))
		if err != nil {
			return nil, err
		}
		out[i] = claimed
	}

	return out, nil
}
