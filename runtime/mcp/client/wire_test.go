package client_test

import "encoding/json"

// requestOf is what a request asks for, and its number as it stands there.
func requestOf(body []byte) (method, id string) {
	var request struct {
		Method string          `json:"method"`
		ID     json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(body, &request) // nothing for what is no request

	return request.Method, string(request.ID)
}
