/**
 * Load on HTTP servers of this machine.
 *
 * <pre>
 * a load, its result .................... Load, LoadResult
 * wrk and h2load ........................ LoadGenerator
 * what wrk prints, what h2load prints ... WrkReport, H2loadReport
 * server under load as a side ........... HttpSide
 * one client, one request at a time ..... ClosedLoopClient
 * so many connections in a loop ......... ClosedLoop
 * blocking loopback connection .......... LoopbackConnection
 * checks an answer before timing ........ SameAnswer
 * </pre>
 */
@NullMarked
package dev.ron.bench.load;

import org.jspecify.annotations.NullMarked;
