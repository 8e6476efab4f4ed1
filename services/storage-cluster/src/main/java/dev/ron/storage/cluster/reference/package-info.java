/**
 * Whose an object is on several machines: one reference for each tenant that stored it, decided by
 * a majority.
 *
 * <pre>
 * rank of a proposal ..................................... Ballot
 * the references to one object ........................... Owners
 * owners as a machine accepted them, as text ............. OwnerRecord
 * a machine's answer to a proposal ....................... Vote
 * what a machine promised and accepted ................... OwnerVotes
 * one try to change the owners ........................... Proposal
 * one of the machines, as far as references go ........... ReferenceNode
 * the machines that decide together ...................... ReferenceGroup
 * this machine's part .................................... LocalReferences
 * where it keeps what it accepted, on its disks .......... OwnerStore, OwnerRecords
 * reads and changes by what enough machines say .......... ReferenceQuorum
 * objects that let no bytes in while they are deleted .... AddressSeals
 * the bytes of all objects, whosever they are ............ SharedBytes
 * objects with references ................................ ClusterReferences
 * the objects of one tenant, of the operator ............. ClusterTenantView, ClusterOperatorView
 * task that copies what others recorded .................. ReferenceSync
 * task that deletes what no reference keeps .............. ClusterCollector
 * </pre>
 */
@NullMarked
package dev.ron.storage.cluster.reference;

import org.jspecify.annotations.NullMarked;
