/**
 * HTTP for every service: one server, one client, on Netty.
 *
 * <pre>
 * words both sides share .. Headers, FieldText, HttpFault, Refusal, Problem, CorrelationId
 * event loops ............. Transport
 * bytes on the wire ....... wire/    strict heads, body framing, normal paths
 * taking requests ......... server/  HttpServer, Routes, Exchange, layers
 * asking others ........... client/  HttpClient, AddressPolicy
 * certificates ............ tls/     Tls, DevCertificate
 * </pre>
 */
@NullMarked
package dev.ron.http;

import org.jspecify.annotations.NullMarked;
