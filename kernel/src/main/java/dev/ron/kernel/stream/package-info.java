/** Bytes that come in blocks, as a stream: {@link BlockStream}. */
@NullMarked
package dev.ron.kernel.stream;

import org.jspecify.annotations.NullMarked;
