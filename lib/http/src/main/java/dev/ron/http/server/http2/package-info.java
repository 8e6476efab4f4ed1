/**
 * HTTP/2 connections and their streams.
 *
 * <pre>
 * one connection: timeouts, going away ... Http2Connection
 * the receiving side of a stream ......... Http2Stream
 * the answering side of a stream ......... Http2Wire
 * what the peer's windows let pass ....... Http2Windows
 * </pre>
 */
@NullMarked
package dev.ron.http.server.http2;

import org.jspecify.annotations.NullMarked;
