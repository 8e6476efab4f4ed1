/**
 * The rewarder: the same inputs give the same bytes, to the last unit. The root wires the service
 * and holds what every other package of it needs.
 *
 * <pre>
 * the wiring ................................... RewarderService
 * settings and limits .......................... RewarderConfig
 * what can go wrong, with its status ........... RewarderFault
 * a fault thrown out of reading code ........... RewarderFaultException
 * what is counted .............................. RewarderMetrics
 * channels and tasks, and the way in ........... RewarderTasks
 * client for storage and ledger, in the tree ... RewarderHttpClient
 * capabilities the node lends the rewarder ..... NodeCapabilities
 * </pre>
 */
@NullMarked
package dev.ron.rewarder;

import org.jspecify.annotations.NullMarked;
