/**
 * BLAKE3: hashing in one call or in pieces, the values it gives, and the tree below them.
 *
 * <pre>
 * hash in one call ........................... Blake3
 * hash in pieces ............................. Blake3Hasher
 * plain, keyed, derived key .................. Mode
 * value of a root, of any other node ......... Hash, ChainingValue
 * name of an object .......................... Address
 * result of a check on untrusted bytes ....... CheckResult
 * faults of untrusted bytes .................. Blake3Fault
 * shape of the tree .......................... HashTree
 * last compression of a node, root or not .... NodeOutput
 * one chunk in progress ...................... ChunkState
 * chaining values, level by level ............ Levels
 * part hashed by itself, parts into a root ... Subtree, SubtreeComposer
 * </pre>
 */
@NullMarked
package dev.ron.blake3;

import org.jspecify.annotations.NullMarked;
