/**
 * HTTP for every service: one server, one client, on Netty.
 *
 * <pre>
 * words both sides share .. Headers, FieldText, HttpFault, Refusal, Problem, CorrelationId
 * event loops ............. Transport
 * bytes on the wire ....... wire/    strict heads, body framing, normal paths
 * taking requests ......... server/  HttpServer, Routes, Verb, Exchange, layers
 * asking others ........... client/  HttpClient, AddressPolicy
 * bodies in JSON .......... json/    Form, Schema, Json
 * certificates ............ tls/     Tls, DevCertificate
 * </pre>
 *
 * <p>How a service looks; the rewarder is the example:
 *
 * <pre>
 * RewarderFault    one-line records and one switch of Said rows. Refusal.of(fault) and
 *                  Answer.problem(fault) need no status: the row has it.
 * RewarderRoutes   every route: Route.post(path).op(name).summary(line).takes(form)
 *                  .answers(200, Reply.class).answers(400, 409).does(verb).
 *                  The OpenAPI document with its schemas is made of it, once.
 * api/Compute      one Verb: its Form, its Request, and parse, handle, write.
 * api/Settlement   the shortest: its Reply is a record, which Verb.write answers as JSON.
 * api/Allocations  a large answer: write streams what handle found.
 * RewarderService  new CapabilityGuard(scope, verifier, terms) is the check at the door; terms
 *                  say which requests need a token and in which words they are refused. A verb
 *                  that knows more, such as a topic, asks guard.refusal(exchange, ask).
 * </pre>
 *
 * <p>A handler that is not request and answer stays what it is: {@code does} also takes an {@code
 * Inline}, which runs on the event loop, and a {@code Blocking}.
 */
@NullMarked
package dev.ron.http;

import org.jspecify.annotations.NullMarked;
