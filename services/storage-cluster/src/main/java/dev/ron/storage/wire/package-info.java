/**
 * JSON between nodes, and of nodes.
 *
 * <pre>
 * messages ................... PeerWire
 * </pre>
 */
@NullMarked
package dev.ron.storage.wire;

import org.jspecify.annotations.NullMarked;
