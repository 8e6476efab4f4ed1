/**
 * What an operator asks a running node at its admin door.
 *
 * <pre>
 * ron top ..................... TopCommand
 * ron status .................. StatusCommand
 * ron reload .................. ReloadCommand
 * ron logs .................... LogsCommand
 * ron usage ................... UsageCommand
 * where the admin door is ..... AdminOptions
 * what a service lacks ........ ServiceState
 * one service at one moment ... TopSample
 * two samples as a table ...... TopTable
 * </pre>
 */
@NullMarked
package dev.ron.node.top;

import org.jspecify.annotations.NullMarked;
