/**
 * HTTP as bytes, strictly: a message that two programs could read differently is refused.
 *
 * <pre>
 * where a head ends ........ HeadScanner     what a head says ..... HeadParser, RequestHead, AnswerHead
 * how long a body is ....... BodyFraming     chunks and trailers .. ChunkedBody
 * one spelling of a path ... NormalPath      known field names .... KnownNames
 * who is addressed ......... Authority       heads of HTTP/2 ...... Http2Heads
 * received, not used yet ... Unread
 * </pre>
 */
@NullMarked
package dev.ron.http.wire;

import org.jspecify.annotations.NullMarked;
