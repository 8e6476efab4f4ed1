/**
 * Encodings: facts on disk ({@link FactWriter}, {@link FactReader}, {@link FactKind}), images of
 * shards in snapshots ({@link ImageWriter}, {@link ImageReader}), JSON and gRPC on the wire, and
 * what machines of a cluster say to each other ({@link Question}, {@link CommandForm}, {@link
 * OutcomeForm}; {@link EntryForm} in the shared log).
 */
@NullMarked
package dev.ron.mailbox.wire;

import org.jspecify.annotations.NullMarked;
