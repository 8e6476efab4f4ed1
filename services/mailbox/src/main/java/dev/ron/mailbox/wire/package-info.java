/**
 * Encodings: facts on disk ({@link FactWriter}, {@link FactReader}, {@link FactKind}), images of
 * shards in snapshots ({@link ImageWriter}, {@link ImageReader}), and JSON and gRPC on the wire.
 */
@NullMarked
package dev.ron.mailbox.wire;

import org.jspecify.annotations.NullMarked;
