/**
 * What a person's commands know without being told, and how they answer a person.
 *
 * <pre>
 * capability and addresses of a node ... UserProfile
 * options that it fills in ............. ProfileDefaults
 * rows for people ...................... TextTable
 * whether a person reads ............... Terminal
 * what a terminal may get .............. TerminalGuard
 * the terminal, kept from a notice ..... ErrorDescriptor
 * what a command that failed says ...... FailureWords
 * which address is taken ............... UnopenedDoor
 * </pre>
 */
@NullMarked
package dev.ron.node.profile;

import org.jspecify.annotations.NullMarked;
