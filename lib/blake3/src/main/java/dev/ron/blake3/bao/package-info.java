/**
 * Ranges verified against a root, as in bao: the outboard tree kept beside an input, and slices
 * that prove themselves.
 *
 * <pre>
 * chaining values kept beside an input ...... Outboard
 * builds an outboard while hashing .......... OutboardBuilder
 * range with its proof ...................... Slice
 * range of a slice .......................... SliceRange
 * checks a slice from an untrusted sender ... SliceVerifier
 * smallest piece a slice proves ............. Grain
 * input read at any offset .................. ByteSource
 * </pre>
 */
@NullMarked
package dev.ron.blake3.bao;

import org.jspecify.annotations.NullMarked;
