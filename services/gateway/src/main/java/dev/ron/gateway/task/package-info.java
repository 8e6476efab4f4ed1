/**
 * Places, tenants and upstreams, and the loops between them.
 *
 * <pre>
 * who gets in ............... Admission, Slots, Holdings, Ticket, Tenants, Tenant
 * how often ................. InstanceRate, RateBook, PeerRefusals
 * whose turn it is .......... SchedulerLoop, Backlog, Freed
 * who starts it ............. WorkerLoop
 * where it goes ............. Routings, Routing, Pool, Upstream
 * who looks after them ...... Prober, Ticker
 * all of them together ...... Machinery
 * </pre>
 */
@NullMarked
package dev.ron.gateway.task;

import org.jspecify.annotations.NullMarked;
