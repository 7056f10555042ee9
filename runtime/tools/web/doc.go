// Package web has the tools http_get and http_post, which reach the hosts that the project names in http.allow, and no others.
// Each redirect is checked as the first address is, and each connection by the address that is really dialled, whatever a name
// was said to be a moment before: what is not public (this machine, private networks, what clouds tell their machines) is
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
// and may have a port behind it, as in localhost:8080, or :* for every port, and http:// or https:// before it, so that it
// counts for that alone. Upper and lower case are the same. What clouds tell their machines (169.254.169.254 and its like)
// needs an entry of that one address.
//
// ${NAME} stands for a variable of the environment in the headers, the body and, behind the host, in the URL: only one that a
// skill which offers the tool declares or writes in its body; only for a host that an entry other than * allows; and only over
// https, or where the entry begins with http://, or to this machine. Values go nowhere else: not along with a redirect to
// another host, and not into results. No proxy of the environment is used, because then the proxy would decide what is dialled.
package web
