package dev.ron.storage.cluster.reference;

import org.jspecify.annotations.Nullable;

/**
 * What one machine answers to a proposal.
 *
 * <p>Threading: immutable.
 *
 * @param granted whether it holds to it
 * @param level whether it has all that it ever accepted; one that has not may not vote
 * @param highest the highest counter it knows of; a proposal has to be above it
 * @param record what it accepted last; null if nothing
 */
public record Vote(boolean granted, boolean level, long highest, @Nullable OwnerRecord record) {
  static final Vote NOT_LEVEL = new Vote(false, false, 0, null);
}
