/**
 * One request and its answer, as a handler sees them, and the bodies of both.
 *
 * <pre>
 * one request and its answer ........................ Exchange
 * its place in a trace .............................. ExchangeTrace
 * how an exchange reaches its peer .................. ExchangeWire
 * parameters of the query ........................... Query
 * body of a request, pulled by its reader ........... RequestBody
 * reads a body on the event loop .................... BodyReader
 * small body, collected before the handler starts ... GatheredBody
 * body as a blocking stream ......................... PulledStream
 * opens decoders for coded bodies ................... Decoders
 * decoders under the decompression guard ............ GuardedDecoders
 * status, headers and body of an answer ............. Answer
 * the kinds of answer body .......................... Body
 * a fault as an answer of the door .................. FaultFormat
 * sends bodies that are not plain bytes ............. AnswerBodies
 * body written by a blocking handler ................ BodySink
 * body written from the event loop .................. AnswerStream
 * the way out, where a body's bytes are counted ..... AnswerOutput
 * headers that every answer carries for browsers .... SecurityHeaders
 * a blocking handler on its thread .................. BlockingCall
 * threads of an exchange, and their permit .......... ExchangeThreads
 * its place among those of its tenant ............... TenantStay
 * how many are worked on while tenants contend ...... DoorPlaces
 * a wait for this node's own work ................... OwnWait
 * the certificate that the peer has shown ........... PeerCertificate
 * </pre>
 */
@NullMarked
package dev.ron.http.server.exchange;

import org.jspecify.annotations.NullMarked;
