/**
 * A node as one machine of a cluster: who the others are, how they know each other, and how a
 * machine is taken in.
 *
 * <pre>
 * a node's part in its cluster ............. ClusterProcess
 * what machines ask each other ............. ClusterTalk, MachineClient
 * what an operator is shown ................ ClusterReport
 * what a machine says of itself ............ MachineStatus
 * the machines of a cluster ................ ClusterRoster, ClusterMachine
 * settings that follow from them ........... ClusterSettings
 * epochs that they agree on ................ ClusterEpochs
 * files of a machine ....................... ClusterFolder
 * begins a cluster, or joins one ........... ClusterEntry
 * what an invited machine is given ......... JoinToken
 * invitations that are out ................. Invitations
 * takes a machine in ....................... JoinCluster
 * another certificate in time .............. CertificateRenewal
 * shows that a machine has its key ......... MachineProof
 * a cluster's authority by its fingerprint . PinnedAuthority
 * commands that work on a node's folder .... IdentityCommands
 * </pre>
 */
@NullMarked
package dev.ron.node.cluster;

import org.jspecify.annotations.NullMarked;
