/**
 * The {@code ron} command and the all-in-one process.
 *
 * <pre>
 * the command line ............. Ron, and one file for each subcommand: UpCommand, CapCommand ...
 * talking to a mailbox ......... SendCommand, ReceiveCommand, AckCommand, NackCommand, TopicsCommand, DeadLetterCommand, ClusterCommand
 * a damaged journal ............ JournalCommand
 * which services there are ..... Services (a new one is a line there), ServiceKind
 * starting and draining ........ Node            what is printed at start ..... StartTable
 * the admin door ............... AdminService    for programs that wait ....... ReadyFile
 * keys and the admin token ..... NodeKeys        SIGTERM, SIGHUP .............. Signals
 * what services believe ........ NodeTrust, TrustRefresh; what they show each other: RenewedToken
 * </pre>
 */
@NullMarked
package dev.ron.node;

import org.jspecify.annotations.NullMarked;
