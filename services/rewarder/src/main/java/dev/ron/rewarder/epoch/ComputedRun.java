package dev.ron.rewarder.epoch;

import dev.ron.rewarder.core.Manifest;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A run that was computed: its manifest, and its lines in a draft.
 *
 * <p>Threading: immutable.
 *
 * @param policy the policy as it was sealed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ComputedRun(Manifest manifest, Path draft, byte[] policy, int pools, Duration took) {}
