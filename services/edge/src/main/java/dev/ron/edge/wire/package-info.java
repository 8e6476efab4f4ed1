/**
 * Bytes on the wire: {@link dev.ron.edge.wire.PackJson} packs as JSON, {@link
 * dev.ron.edge.wire.GlyphRange} letters for labels.
 */
@NullMarked
package dev.ron.edge.wire;

import org.jspecify.annotations.NullMarked;
