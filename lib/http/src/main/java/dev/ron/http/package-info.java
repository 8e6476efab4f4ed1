/**
 * HTTP for every service: one server and one client, on Netty. The root holds the words both sides
 * share.
 *
 * <pre>
 * header fields in order ............... Headers
 * bytes allowed in names and values .... FieldText
 * faults of the HTTP layer ............. HttpFault
 * an exception that carries a fault .... Refusal
 * a fault as problem+json (RFC 9457) ... Problem
 * id of a request in every log ......... CorrelationId
 * epoll, io_uring or NIO ............... Transport
 * </pre>
 */
@NullMarked
package dev.ron.http;

import org.jspecify.annotations.NullMarked;
