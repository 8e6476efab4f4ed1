/**
 * What operators ask of the groups of a replicated mailbox, one file for each verb.
 *
 * <pre>
 * routes ................................. MailboxClusterRoutes
 * what every verb asks of its caller ..... GroupVerb
 * what every change has in common ........ GroupChange
 * who leads, and how far everybody is .... ShowGroups
 * takes a machine in ..................... JoinGroups
 * lets a machine go ...................... LeaveGroups
 * hands a group over ..................... TransferGroup
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.cluster.api;

import org.jspecify.annotations.NullMarked;
