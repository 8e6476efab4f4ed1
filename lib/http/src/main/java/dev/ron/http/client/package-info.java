/**
 * Asking other servers, from virtual threads or from event loops, over pooled connections.
 *
 * <pre>
 * client: blocking send, event-loop call .... HttpClient
 * settings of a client ...................... HttpClientConfig
 * scheme, host and port ..................... Origin
 * which addresses may be dialled ............ AddressPolicy
 * a request to send ......................... ClientRequest
 * an answer for blocking code ............... ClientAnswer
 * one call on its event loop ................ ClientCall
 * callbacks for an answer ................... ClientReader
 * faults of asking .......................... ClientFault
 * connections of one event loop ............. ConnectionPool
 * resolves, checks, connects, verifies ...... Dialer
 * how a call reaches its server ............. ClientWire
 * a connection of HTTP/1.1 .................. ClientHttp1
 * a connection of HTTP/2, and its streams ... ClientHttp2, ClientHttp2Stream
 * writes the head of a request .............. RequestHeadWriter
 * holds a body to its announced length ...... AnnouncedBody
 * what a trace tells of a call .............. CallSpan
 * </pre>
 */
@NullMarked
package dev.ron.http.client;

import org.jspecify.annotations.NullMarked;
