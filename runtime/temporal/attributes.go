package temporal

import (
	"context"
	"fmt"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/temporal"

	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// The search attributes of runs that are started with StartOptions.Attributes: keywords by which Temporal lists and
// counts runs.
var (
	programAttribute = temporal.NewSearchAttributeKeyKeyword("AgentcProgram")
	agentAttribute   = temporal.NewSearchAttributeKeyKeyword("AgentcAgent")
	// stateAttribute is the state of the run's machine, as MACHINE/STATE; of nested machines, that of the one that
	// was entered last.
	stateAttribute = temporal.NewSearchAttributeKeyKeyword("AgentcState")
)

// RegisterAttributes registers the search attributes with the server; that they are registered already is no error.
// For Temporal Cloud use its own tools.
func (c Client) RegisterAttributes(ctx context.Context, namespace string) error {
	keyword := enumspb.INDEXED_VALUE_TYPE_KEYWORD
	_, err := c.OperatorService().AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{
		Namespace: namespace,
		SearchAttributes: map[string]enumspb.IndexedValueType{
			programAttribute.GetName(): keyword, agentAttribute.GetName(): keyword, stateAttribute.GetName(): keyword,
		},
	})
	if err != nil && !errs.Is[*serviceerror.AlreadyExists](err) {
		return fmt.Errorf("the search attributes %s, %s and %s, keywords, cannot be registered: %w",
			programAttribute.GetName(), agentAttribute.GetName(), stateAttribute.GetName(), err)
	}

	return nil
}
