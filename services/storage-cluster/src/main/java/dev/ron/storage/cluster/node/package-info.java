/**
 * One node of the cluster, this one or another over a wire, and what it keeps.
 *
 * <pre>
 * a node, local or remote ............................ ClusterNode
 * this node: its own volumes ......................... LocalNode
 * another node, its answers verified ................. PeerNode
 * requests to one node, each with an end ............. PeerClient
 * the way to one node ................................ PeerWire
 * that way over HTTP ................................. HttpWire
 * health of another node ............................. PeerHealth
 * JSON messages between nodes ........................ PeerMessages, ReferenceMessages
 * references of another node ......................... PeerReferences
 * one question to many nodes at once ................. Fanout
 * writes and nodes that rely on local copies ......... CopyClaims
 * task that rolls refused writes back on nodes ....... WriteRollback
 * local objects, grouped by the nodes sharing them ... LocalInventory
 * coded objects known here, in memory ................ CodedIndex
 * records of coded objects on disk ................... CodedRecords
 * threads that ask nodes, counted and awaited ......... PeerThreads
 * </pre>
 */
@NullMarked
package dev.ron.storage.cluster.node;

import org.jspecify.annotations.NullMarked;
