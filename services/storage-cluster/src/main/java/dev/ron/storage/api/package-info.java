/**
 * What nodes ask of each other.
 *
 * <pre>
 * routes under /peer ......... PeerRoutes          bytes ............... PeerSlices
 * </pre>
 */
@NullMarked
package dev.ron.storage.api;

import org.jspecify.annotations.NullMarked;
