/**
 * Reed-Solomon erasure coding: k data shards and m parity shards, any k of which restore the rest.
 *
 * <pre>
 * encode, reconstruct, verify .................... ReedSolomon
 * how an object lies in shards ................... StripeLayout
 * object of unknown length into stripes .......... StripeEncoder
 * set of shard numbers ........................... ShardSet
 * field of 256 elements .......................... GaloisField
 * Cauchy generator matrix ........................ CodingMatrix
 * inputs, outputs and the coefficients between ... Combination
 * combinations of recent loss patterns ........... RecoveryCache
 * inner loops: interface, scalar, vector ......... Kernel, ScalarKernel, VectorKernel
 * which kernel runs .............................. KernelChoice
 * vector widths of this machine .................. VectorWidth
 * reused working blocks .......................... ScratchPool
 * </pre>
 */
@NullMarked
package dev.ron.erasure;

import org.jspecify.annotations.NullMarked;
