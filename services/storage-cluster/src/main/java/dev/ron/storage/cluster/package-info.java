/**
 * Storage on several machines: its wiring, its settings, and how nodes trust each other.
 *
 * <pre>
 * nodes, tasks and clients of the cluster, wired ... StorageClusterService
 * settings of the cluster .......................... StorageClusterConfig
 * how nodes prove that they belong ................. PeerTrust
 * ways to nodes over HTTP .......................... HttpWires
 * metric names of several machines ................. StorageClusterMetrics
 * how questions to nodes are repeated .............. PeerRetry
 * </pre>
 */
@NullMarked
package dev.ron.storage.cluster;

import org.jspecify.annotations.NullMarked;
