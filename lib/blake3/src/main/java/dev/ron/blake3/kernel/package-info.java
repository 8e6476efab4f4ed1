/**
 * The inner loops of BLAKE3: scalar, vector and native, checked against each other and chosen at
 * run time.
 *
 * <pre>
 * hashes many chunks or parents ............ HashKernel
 * plain Java ............................... ScalarHashKernel
 * vector API ............................... VectorHashKernel
 * C library ................................ NativeHashKernel
 * which kernel runs ........................ HashKernelChoice
 * compares a kernel with the scalar one .... HashKernelCheck
 * times the kernels ........................ HashKernelRace
 * chunks side by side, in vectors .......... HashLanes, VectorLanes
 * constants of the row and lane exchange ... Transposition
 * compression function in plain Java ....... CompressionFunction
 * little-endian words ...................... Words
 * working memory of a bulk hash ............ Scratch
 * </pre>
 */
@NullMarked
package dev.ron.blake3.kernel;

import org.jspecify.annotations.NullMarked;
