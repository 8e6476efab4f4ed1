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
 * paths and errors of another protocol ............... Dialect
 * origins whose pages may call ........................ Cors
 * host names, and who sees the metrics ................ Access
 * what a route does: either kind ...................... Handler
 * handler on the event loop ........................... Inline
 * handler on its own virtual thread ................... Blocking
 * what all connections of a server share .............. ServerContext
 * a bug as a log may show it .......................... BugTrace
 * what a trace tells of a request ..................... RequestSpan
 * one operation: parse, handle, write ................. Verb
 * answers to byte ranges .............................. ByteRanges
 * </pre>
 *
 * <p>A door whose clients speak another protocol over HTTP, such as one whose requests are signed
 * over the path as sent and whose errors are XML, has a {@link dev.ron.http.server.Dialect} and one
 * route for everything:
 *
 * <pre>{@code
 * FaultFormat xml = (problem, head) ->
 *     Answer.bytes(problem.status(), "application/xml", document(problem, head.rawPath()))
 *         .with("x-amz-request-id", problem.corrId());
 * Routes routes =
 *     Routes.of(
 *         Route.all("s3", (Blocking) door::handle) // any method, any path, OPTIONS and * too
 *             .bodyBytesMax(5L << 30) // of the wire, with all framing
 *             .withCodedBody() // Content-Encoding is the handler's matter
 *             .withoutDeadline()); // stalls are cut by the read and write timeouts
 * var http = HttpServerConfig.on(host, port).with(limits).with(timeouts).with(Dialect.raw(xml));
 * new HttpServer(scope, http, routes);
 * }</pre>
 *
 * <p>Its handler reads {@code exchange.head().rawPath()}, {@code exchange.head().query()} (null
 * without a question mark), {@code exchange.headers()} in order and one byte a character, {@code
 * exchange.corrId()} and {@code exchange.body().stream()}. The first read of the body sends the 100
 * that a client waits for; a handler that answers before it sends none. It answers with {@code
 * Answer.bytes}, {@code file}, {@code stream} with or without a length, {@code unsent} for a HEAD,
 * and refuses with {@code Refusal.of(fault)}, which the door's format writes. {@code
 * Content-Length} is always the server's to write.
 */
@NullMarked
package dev.ron.http.server;

import org.jspecify.annotations.NullMarked;
