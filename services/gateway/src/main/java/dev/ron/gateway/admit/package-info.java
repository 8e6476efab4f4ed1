/**
 * Admission: what a request must show, which tenant it is charged to, and its turn for one of the
 * slots toward an upstream pool.
 *
 * <pre>
 * route, size, capability and rates of a request ... RequestChecks
 * at once, into the queue, or refused .............. Admission
 * taken and waiting, in one word ................... Slots
 * a request's claim to a slot ...................... AdmissionTicket
 * tells the scheduler that a slot is free .......... SlotSignal
 * requests that wait, pool by pool ................. Backlog
 * supervised loop that grants slots in turn ........ SchedulerLoop
 * supervised loop that starts granted requests ..... WorkerLoop
 * tenants seen here, a bounded number .............. Tenants
 * one tenant: counts and metrics ................... Tenant
 * what tells one client from another ............... ClientAddress
 * places each tenant holds toward a pool ........... TenantPlaces
 * the rate of this instance ........................ InstanceRate
 * </pre>
 */
@NullMarked
package dev.ron.gateway.admit;

import org.jspecify.annotations.NullMarked;
