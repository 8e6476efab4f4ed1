/**
 * The mailbox on three machines, simulated.
 *
 * <pre>
 * what happens to it ..................... MailboxScenario
 * one machine, wired as in production .... MailboxMachine
 * senders and consumers .................. MailboxClients
 * what they were told .................... MessageLedger
 * </pre>
 */
@NullMarked
package dev.ron.simulator.mailbox;

import org.jspecify.annotations.NullMarked;
