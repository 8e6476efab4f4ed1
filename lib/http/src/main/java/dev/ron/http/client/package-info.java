/**
 * Asking other servers.
 *
 * <pre>
 * asking from a virtual thread .. HttpClient.send, ClientAnswer
 * asking from an event loop ..... HttpClient.call, ClientCall, ClientReader
 * what is asked, and of whom .... ClientRequest, Origin, AddressPolicy
 * connections ................... LoopPool, Dialer, ClientHttp1, ClientHttp2
 * what goes wrong ............... ClientFault
 * </pre>
 */
@NullMarked
package dev.ron.http.client;

import org.jspecify.annotations.NullMarked;
