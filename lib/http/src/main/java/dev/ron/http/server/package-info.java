/**
 * Taking requests: a {@link HttpServer} is a kernel door with a table of routes behind it.
 *
 * <pre>
 * settings .................. HttpServerConfig, Bind, Timeouts, Limits, Cors, Access
 * what is served ............ Routes, Route, PathPattern, RouteTable, ServiceRoutes, OpenApi,
 *                             MetricsPage
 * what a route does ......... Verb (parse, handle, write), or a Handler: Inline, Blocking
 * a handler's view .......... Exchange, Query, RequestBody, Answer, ByteRanges, Body, Outgoing
 * a small body, beforehand .. GatheredBody
 * between socket and handler  Dispatch, its Entrance (HostRule, OperationalLimit, DetailsGuard)
 *                             and its layers: SeatLimit, BodyCap, SafeDecode, RateLimit,
 *                             InflightLimit, RequestDeadline, GuardLayer
 * rights .................... Guard, CapabilityGuard, CapabilityTerms, CapabilityRates, Bearer
 * HTTP/1.1 sockets .......... Http1Connection, Http1Input, Http1Wire, Http1Timeouts, Goodbye
 * HTTP/2 sockets ............ AlpnChoice, Http2Connection, Http2Stream, Http2Wire
 * all sockets ............... ConnectionSetup, Connections, Seat, PeerKey, Loop, Stall, Drain,
 *                             UnixFolder
 * what is counted ........... BoundRoute, Inflight, ServerContext, BugTrace
 * </pre>
 */
@NullMarked
package dev.ron.http.server;

import org.jspecify.annotations.NullMarked;
