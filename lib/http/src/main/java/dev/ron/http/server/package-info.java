/**
 * Taking requests: a {@link HttpServer} is a kernel door with a table of routes behind it.
 *
 * <pre>
 * settings .................. HttpServerConfig, Bind, Timeouts, Limits, Cors, Transport
 * what is served ............ Routes, Route, PathPattern, RouteTable, ServiceRoutes, OpenApi
 * a handler's view .......... Inline, Blocking, Exchange, RequestBody, Answer, Body, Outgoing
 * between socket and handler  Dispatch and its layers: BodyCap, SafeDecode, RateLimit,
 *                             InflightLimit, RequestDeadline, GuardLayer
 * sockets ................... Http1Connection, Http2Stream, ProtocolChoice, Loop, Connections
 * what is counted ........... RouteMeter, AccessLog
 * </pre>
 */
@NullMarked
package dev.ron.http.server;

import org.jspecify.annotations.NullMarked;
