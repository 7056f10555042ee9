package otel

import (
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
)

// The signals that are sent, as the standard variables name them.
const (
	tracesSignal  = "TRACES"
	metricsSignal = "METRICS"
)

// settings are what the standard variables say; the exporters read the rest of them.
type settings struct {
	// traces and metrics are the protocols in which they are sent; "" if they are not.
	traces, metrics string
	// content reports whether texts are sent, alone that traces neither come from other programs
	// nor go on in them.
	content, alone bool
	// problems are the values that were not understood.
	problems []string
}

const (
	protocolGRPC = "grpc"
	protocolHTTP = "http/protobuf"
	protocolJSON = "http/json"
)

func readSettings() settings {
	var s settings
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") {
		return s
	}
	s.traces, s.metrics = s.protocolOf(tracesSignal), s.protocolOf(metricsSignal)
	s.content = strings.EqualFold(os.Getenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"), "true")

	s.alone = os.Getenv("OTEL_PROPAGATORS") == "none"

	return s
}

// protocolOf returns how a signal is sent. Unlike other programs this one sends nothing to an
// address that was not named.
func (s *settings) protocolOf(name string) (protocol string) {
	variable := "OTEL_" + name + "_EXPORTER"
	switch exporter := os.Getenv(variable); exporter {
	case "none":
		return ""
	case "":
		if _, address := exporterSetting(name, "ENDPOINT"); address == "" {
			return ""
		}
	case "otlp":
	default:
		s.problems = append(s.problems, fmt.Sprintf("%s is %q: it can be otlp or none", variable, exporter))

		return ""
	}

	protocol = s.readProtocol(name)
	if protocol == "" || s.hasBadAddress(name, protocol) {
		return ""
	}

	return protocol
}

// exporterSetting returns what a variable says of a signal, by itself or for all signals, and the variable; both are "" without one.
func exporterSetting(name, what string) (variable, value string) {
	for _, variable := range []string{"OTEL_EXPORTER_OTLP_" + name + "_" + what, "OTEL_EXPORTER_OTLP_" + what} {
		if value := os.Getenv(variable); value != "" {
			return variable, value
		}
	}

	return "", ""
}

// hasBadAddress reports an address that is not a URL, which the exporters would replace by one of their own.
func (s *settings) hasBadAddress(name, protocol string) bool {
	variable, address := exporterSetting(name, "ENDPOINT")
	if address == "" {
		return false
	}
	u, err := url.Parse(address)
	switch {
	case err == nil && protocol == protocolGRPC && (u.Host != "" || u.Scheme == "unix"):
		return false // gRPC has schemes of its own
	case err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "":
		return false
	}
	hint := ""
	if !strings.Contains(address, "://") {
		hint = ", such as http://" + address
	}
	problem := fmt.Sprintf("nothing is sent: %s is %q, and an address begins with http:// or https://%s", variable, address, hint)
	if !slices.Contains(s.problems, problem) { // one variable may be that of both signals
		s.problems = append(s.problems, problem)
	}

	return true
}

func (s *settings) readProtocol(name string) string {
	switch variable, protocol := exporterSetting(name, "PROTOCOL"); protocol {
	case "":
		return protocolHTTP
	case protocolGRPC, protocolHTTP, protocolJSON:
		return protocol
	default:
		s.problems = append(s.problems, fmt.Sprintf("%s is %q: it can be %s, %s or %s",
			variable, protocol, protocolHTTP, protocolJSON, protocolGRPC))

		return ""
	}
}
