/**
 * HTTP as bytes, read strictly: a message that two programs could read differently is refused.
 *
 * <pre>
 * finds the end of a head ................... HeadScanner
 * reads a head of HTTP/1.1 .................. HeadParser
 * reads a head of HTTP/2 .................... Http2Heads
 * head of a request ......................... RequestHead
 * head of an answer ......................... AnswerHead
 * cuts a body out of a connection's bytes ... BodyFramer
 * chunks and trailers ....................... ChunkedBody
 * the one spelling of a path ................ NormalPath
 * path as that spelling, or as sent ......... PathForm
 * host and port of a request ................ Authority
 * common field names, without new strings ... KnownNames
 * bytes received and not used yet ........... UnreadBytes
 * </pre>
 */
@NullMarked
package dev.ron.http.wire;

import org.jspecify.annotations.NullMarked;
