/**
 * Content codings taken off under a guard, so that a small body cannot become a large one.
 *
 * <pre>
 * Decoder       bytes in, bytes out, in bounded steps; counts, and refuses while it decodes
 * DecodeLimits  the cap, the ratio and the window
 * Step          what one step did               DecodeFault   why a body is refused
 * Stage         one coding: GzipStage, DeflateStage, BrotliStage, ZstdStage, PlainStage
 * GzipHead      the head of one gzip member
 * </pre>
 *
 * Brotli is decoded by the reference decoder through brotli4j. The pure Java decoder reads from a
 * blocking stream and cannot stop in the middle and go on when more input comes, so it would have
 * to hold the whole compressed body first, and it misses bytes behind the end when the body's
 * length is a multiple of its 4096-byte buffer. The price is a native library: where none fits the
 * machine, {@code br} is refused as unsupported.
 */
@NullMarked
package dev.ron.http.decode;

import org.jspecify.annotations.NullMarked;
