/**
 * Finished runs on disk: a folder each, its allocations and their index.
 *
 * <pre>
 * finished runs and drafts .................... Artifacts
 * writes allocations, finds the Merkle root ... AllocationWriter
 * reads lines and proofs back ................. AllocationReader
 * </pre>
 */
@NullMarked
package dev.ron.rewarder.artifact;

import org.jspecify.annotations.NullMarked;
