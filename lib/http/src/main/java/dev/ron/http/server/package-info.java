/**
 * Taking requests: the server as a door of the supervision tree, its settings, and the two kinds of
 * handler.
 *
 * <pre>
 * the server .......................................... HttpServer
 * settings of a server ................................ HttpServerConfig
 * TCP address or Unix socket .......................... Bind
 * read, write, idle and request timeouts .............. Timeouts
 * bounds of connections, heads, bodies and requests ... Limits
 * origins whose pages may call ........................ Cors
 * host names, and who sees the metrics ................ Access
 * what a route does: either kind ...................... Handler
 * handler on the event loop ........................... Inline
 * handler on its own virtual thread ................... Blocking
 * what all connections of a server share .............. ServerContext
 * a bug as a log may show it .......................... BugTrace
 * one operation: parse, handle, write ................. Verb
 * answers to byte ranges .............................. ByteRanges
 * </pre>
 */
@NullMarked
package dev.ron.http.server;

import org.jspecify.annotations.NullMarked;
