/** Encodings: {@link HeadCodec} for the heads of stored answers. */
@NullMarked
package dev.ron.edge.wire;

import org.jspecify.annotations.NullMarked;
