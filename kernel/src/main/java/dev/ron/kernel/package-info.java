/**
 * The concurrency kernel: what every service is built from.
 *
 * <pre>
 * a service's surroundings ... Scope, World        waiting and clocks ....... time/
 * tasks and their restarts ... supervise/          queues between tasks ..... channel/
 * rates, breakers, limits .... limit/              backoff and retries ...... retry/
 * errors as values ........... fault/              is the service ready ..... ready/
 * metric names ............... metric/             who runs, who waits ...... registry/
 * locks with an order ........ lock/               files that can fail ...... disk/
 * bytes in blocks ............ stream/            what must not be guessed . SecretSource
 * </pre>
 */
@NullMarked
package dev.ron.kernel;

import org.jspecify.annotations.NullMarked;
