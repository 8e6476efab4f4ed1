/**
 * BLAKE3: hash, tree, verified slices.
 *
 * <ul>
 *   <li>hash in one call: {@code Blake3}; in pieces: {@code Blake3Hasher}, {@code ChunkState}
 *   <li>plain or keyed: {@code Mode}
 *   <li>values: {@code Hash} (of a root), {@code ChainingValue} (of any other node), {@code
 *       Address}
 *   <li>shape of the tree: {@code Tree}, {@code Grain}, {@code Levels}, {@code Node}
 *   <li>verified ranges: {@code Outboard}, {@code OutboardBuilder}
 *   <li>proofs for a client: {@code Slice}, {@code SliceRange}, {@code SliceVerifier}
 *   <li>parts in any order: {@code Subtree}, {@code SubtreeComposer}
 *   <li>speed: {@code Kernel}, {@code ScalarKernel}, {@code VectorKernel}, {@code NativeKernel},
 *       {@code KernelChoice}, {@code KernelCheck}, {@code KernelRace}; lanes: {@code VectorLanes}
 *   <li>what hostile bytes are answered with: {@code Checked}, {@code Blake3Fault}
 * </ul>
 */
@NullMarked
package dev.ron.blake3;

import org.jspecify.annotations.NullMarked;
