/**
 * Storage on several machines.
 *
 * <pre>
 * settings ............... ClusterConfig      what is counted .. StorageClusterMetrics
 * who is another node .... PeerTrust          the wiring ....... task/ Peering
 * </pre>
 */
@NullMarked
package dev.ron.storage;

import org.jspecify.annotations.NullMarked;
