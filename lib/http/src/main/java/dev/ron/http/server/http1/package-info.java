/**
 * HTTP/1.1 connections: one request at a time, so answers keep their order.
 *
 * <pre>
 * one connection ........................... Http1Connection
 * heads and bodies out of received bytes ... Http1Input
 * answers framed as announced .............. Http1Output
 * writes the head of an answer ............. Http1HeadWriter
 * the answering side of an exchange ........ Http1Wire
 * cuts slow peers .......................... Http1Timeouts
 * </pre>
 */
@NullMarked
package dev.ron.http.server.http1;

import org.jspecify.annotations.NullMarked;
