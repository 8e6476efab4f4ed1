/**
 * HTTP for every service: one server, one client, on Netty.
 *
 * <pre>
 * words both sides share .. Headers, HttpFault, Refusal, Problem, CorrelationId
 * bytes on the wire ....... wire/    strict heads, body framing, normal paths
 * taking requests ......... server/  HttpServer, Routes, Exchange, layers
 * </pre>
 */
@NullMarked
package dev.ron.http;

import org.jspecify.annotations.NullMarked;
