/**
 * The routes with which nodes ask each other.
 *
 * <pre>
 * routes under /peer .......................... PeerRoutes
 * what another node asks ...................... PeerRequest
 * what answers it ............................. PeerHandler
 * question that is answered in JSON ........... PeerVerb
 * questions about references .................. ReferenceVerbs
 * bytes for other nodes, as verified slices ... PeerSlices
 * the routes without a listener ............... PeerDoor
 * </pre>
 */
@NullMarked
package dev.ron.storage.cluster.api;

import org.jspecify.annotations.NullMarked;
