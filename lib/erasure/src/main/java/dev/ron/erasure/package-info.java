/**
 * Reed-Solomon erasure coding: k data shards, m parity shards, any k of them give the rest back.
 *
 * <ul>
 *   <li>the face, encode and reconstruct: {@link dev.ron.erasure.ReedSolomon}
 *   <li>how an object lies in shards, byte for byte: {@link dev.ron.erasure.Layout}
 *   <li>an object of unknown length into stripes: {@link dev.ron.erasure.StripeEncoder}
 *   <li>which shards: {@link dev.ron.erasure.ShardSet}
 *   <li>the field, 0x11d: {@code GaloisField}; the matrix, Cauchy: {@code CodingMatrix}
 *   <li>shards in, shards out, coefficients between: {@code Combination}; remembered ones: {@code
 *       RecoveryCache}
 *   <li>the loops: {@code Kernel}, {@code ScalarKernel}, {@code VectorKernel}; which one runs:
 *       {@link dev.ron.erasure.KernelChoice}
 *   <li>borrowed blocks: {@code ScratchPool}
 * </ul>
 */
@NullMarked
package dev.ron.erasure;

import org.jspecify.annotations.NullMarked;
