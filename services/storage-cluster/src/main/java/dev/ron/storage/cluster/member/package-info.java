/**
 * Which nodes belong to the cluster, from a list or from etcd, and which of them answer.
 *
 * <pre>
 * current nodes and the placement among them ... Members
 * task that asks every node how it is .......... Heartbeats
 * task that follows the nodes in etcd .......... EtcdMembership
 * etcd over its JSON gateway ................... EtcdClient
 * nodes that decide about references ........... MemberReferences
 * </pre>
 */
@NullMarked
package dev.ron.storage.cluster.member;

import org.jspecify.annotations.NullMarked;
