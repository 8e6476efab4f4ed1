/**
 * The HTTP routes with which nodes ask each other.
 *
 * <pre>
 * routes under /peer .......................... PeerRoutes
 * question that is answered in JSON ........... PeerVerb
 * questions about references .................. ReferenceVerbs
 * bytes for other nodes, as verified slices ... PeerSlices
 * </pre>
 */
@NullMarked
package dev.ron.storage.cluster.api;

import org.jspecify.annotations.NullMarked;
