// Package web has the tools http_get and http_post, which can reach only the hosts that the project
// lists in http.allow. Each redirect is checked like the first address, and each connection is
// checked by the IP address that is actually dialled, whatever a name resolved to before: an
// address that is not public (this machine, private networks, metadata services of clouds) is
// reached only if the list has that very address.
//
// An entry of the list is one of
//
//	api.example.com        this name, at the ports 80 and 443
//	*.example.com          every name below it, but not itself
//	*                      every name and every public address
//	10.0.0.7, [::1]        this address
//	10.1.0.0/16            the addresses of this network, also where a name that is allowed leads to them
//	localhost              this machine, under this name
//
// It may end in a port, as in localhost:8080, or in :* for every port, and begin with http:// or
// https:// to allow only that scheme. Upper and lower case are equal. The metadata services of
// clouds (169.254.169.254 and similar addresses) need an entry of that one address.
//
// ${NAME} in the headers, the body and, after the host, in the URL is replaced by an environment variable: only by
// one that a skill which offers the tool declares or refers to in its body; only for a host that an entry other than
// * allows; and only over https, or if the entry begins with http://, or to this machine. Values are sent nowhere
// else: not with a redirect to another host, and not in results. Proxies of the environment are not used, because
// then the proxy would decide which address is dialled.
package web
