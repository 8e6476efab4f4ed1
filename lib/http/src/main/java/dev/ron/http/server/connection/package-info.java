/**
 * What connections of either protocol use: the tick of their event loop, timeouts, and orderly
 * ends.
 *
 * <pre>
 * tick, date and work space of a loop ............ EventLoopContext
 * something with timeouts, called every tick ..... TimeoutSweep
 * notices that nothing moves ..................... Stall
 * notices a peer that takes nothing .............. WriteStall
 * what the peer has acknowledged ................. AckedBytes
 * a connection's place under the cap ............. ConnectionSlot
 * the tenant that a connection counts for ........ ConnectionTenant
 * what counts as one peer ........................ PeerKey
 * event: finish, take nothing new ................ DrainEvent
 * closes without resetting an answer under way ... LingeringClose
 * </pre>
 */
@NullMarked
package dev.ron.http.server.connection;

import org.jspecify.annotations.NullMarked;
