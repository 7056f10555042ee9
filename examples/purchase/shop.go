package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/agentc-dev/agentc/examples/purchase/agents"
)

// shop stands for a warehouse, a bank and a carrier: a file with a line for each thing that they have done. It
// implements the functions that the workflow calls.
//
// A call that was interrupted is made again. So each of these functions looks into the file first, and does nothing
// twice for one order.
type shop struct {
	path string
	mu   sync.Mutex
}

// deed is a line of the file.
type deed struct {
	Order string `json:"order"`
	Did   string `json:"did"`
	Note  string `json:"note,omitempty"`
}

// order is what a buyer has ordered.
type order struct {
	item          string
	count, cents  int64
	card, address string
}

// orders are the orders of the shop, by number.
var orders = map[string]order{
	"A-1": {item: "desk lamp", count: 1, cents: 4900, card: "valid", address: "Bremen"},
	"A-2": {item: "desk lamp", count: 2, cents: 9800, card: "expired", address: "Bremen"},
	"A-3": {item: "bookshelf", count: 1, cents: 25900, card: "valid", address: "Helgoland"},
	"A-4": {item: "standing desk", count: 12, cents: 718800, card: "valid", address: "Bremen"},
	"A-5": {item: "bookshelf", count: 40, cents: 90000, card: "valid", address: "Bremen"},
}

// stock is the number of pieces of any item in the warehouse.
const stock = 20

// ShopLookUp returns what an order is about.
func (s *shop) ShopLookUp(_ context.Context, in agents.ShopLookUpArgs) (agents.ShopLookUpResult, error) {
	o, ok := orders[in.Order]
	if !ok {
		return agents.ShopLookUpResult{}, fmt.Errorf("there is no order %s", in.Order)
	}

	return agents.ShopLookUpResult{Item: o.item, Count: o.count, Cents: o.cents}, nil
}

// ShopReserve reserves the goods.
func (s *shop) ShopReserve(_ context.Context, in agents.ShopReserveArgs) (string, error) {
	if in.Count > stock {
		return "", fmt.Errorf("there are only %d pieces of %s", stock, in.Item)
	}

	return s.do(deed{Order: in.Order, Did: "reserve", Note: fmt.Sprintf("%d × %s", in.Count, in.Item)})
}

// ShopCharge charges the card of the buyer.
func (s *shop) ShopCharge(_ context.Context, in agents.ShopChargeArgs) (string, error) {
	if orders[in.Order].card != "valid" {
		return "", errors.New("the card has expired")
	}

	return s.do(deed{Order: in.Order, Did: "charge", Note: fmt.Sprintf("%d cents", in.Cents)})
}

// ShopShip orders the shipping.
func (s *shop) ShopShip(_ context.Context, in agents.ShopShipArgs) (string, error) {
	address := orders[in.Order].address
	if address == "Helgoland" {
		return "", errors.New("the carrier does not deliver to Helgoland")
	}

	return s.do(deed{Order: in.Order, Did: "ship", Note: "to " + address})
}

// ShopRecall cancels the shipping.
func (s *shop) ShopRecall(_ context.Context, in agents.ShopRecallArgs) (string, error) {
	return s.undo("ship", deed{Order: in.Order, Did: "recall"})
}

// ShopRefund pays back what was charged.
func (s *shop) ShopRefund(_ context.Context, in agents.ShopRefundArgs) (string, error) {
	return s.undo("charge", deed{Order: in.Order, Did: "refund"})
}

// ShopRelease makes the reserved goods available again.
func (s *shop) ShopRelease(_ context.Context, in agents.ShopReleaseArgs) (string, error) {
	return s.undo("reserve", deed{Order: in.Order, Did: "release"})
}

// ShopSend sends a letter to the buyer.
func (s *shop) ShopSend(_ context.Context, in agents.ShopSendArgs) (string, error) {
	if _, err := s.do(deed{Order: in.Order, Did: "send", Note: in.Text}); err != nil {
		return "", err
	}

	return in.Text, nil
}

// do does something for an order, unless it is done.
func (s *shop) do(d deed) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all, err := s.deeds()
	if err != nil {
		return "", err
	}
	if d.isIn(all) {
		return d.Did + ": was done before", nil
	}

	return d.Did + ": done", s.add(d)
}

// undo undoes what was done for an order. It does nothing if that was not done, or is undone.
func (s *shop) undo(done string, d deed) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all, err := s.deeds()
	if err != nil {
		return "", err
	}
	if !(deed{Order: d.Order, Did: done}).isIn(all) || d.isIn(all) {
		return d.Did + ": nothing to do", nil
	}

	return d.Did + ": done", s.add(d)
}

// isIn reports whether the same was done for the same order.
func (d deed) isIn(all []deed) bool {
	return slices.ContainsFunc(all, func(have deed) bool { return have.Order == d.Order && have.Did == d.Did })
}

// deeds reads the file. A line that cannot be read is an error: what it says may have been done.
func (s *shop) deeds() (all []deed, err error) {
	text, err := os.ReadFile(s.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		var d deed
		if err := json.Unmarshal(line, &d); err != nil {
			return nil, fmt.Errorf("%s: %w", s.path, err)
		}
		all = append(all, d)
	}

	return all, nil
}

// add writes a line, and returns when it is on the disk.
func (s *shop) add(d deed) error {
	line, err := json.Marshal(d)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(s.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))

	return errors.Join(err, f.Sync(), f.Close())
}
