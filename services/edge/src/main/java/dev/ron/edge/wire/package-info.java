/**
 * Encodings: {@link HeadCodec} for the heads of stored answers, {@link PackJson} for packs, {@link
 * GlyphRange} for the letters of labels.
 */
@NullMarked
package dev.ron.edge.wire;

import org.jspecify.annotations.NullMarked;
