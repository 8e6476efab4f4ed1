/**
 * Commands that make, narrow and end capabilities; most need no running node.
 *
 * <pre>
 * ron cap ............................. CapCommand
 * its narrowing flags ................. CaveatOptions
 * a token as a key pair ............... KeyPairCommand
 * short ids of key pairs .............. KeyCommand
 * </pre>
 */
@NullMarked
package dev.ron.node.cap;

import org.jspecify.annotations.NullMarked;
