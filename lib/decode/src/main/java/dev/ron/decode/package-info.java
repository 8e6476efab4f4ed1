/**
 * Content codings taken off under a guard, so that a small body cannot become a large one. Depends
 * on the kernel's faults and the two codec libraries alone.
 *
 * <pre>
 * content codings and their tokens ....... ContentCoding
 * decodes in bounded steps, and counts ... Decoder
 * cap, ratio and window .................. DecodeLimits
 * what one step did ...................... DecodeStep
 * why a body is refused .................. DecodeFault
 * one coding being taken off ............. DecodeStage
 * gzip members and their heads ........... GzipStage, GzipHead
 * zlib or raw deflate .................... DeflateStage
 * Brotli, by the native decoder .......... BrotliStage
 * zstd frames ............................ ZstdStage
 * no coding .............................. PlainStage
 * </pre>
 */
@NullMarked
package dev.ron.decode;

import org.jspecify.annotations.NullMarked;
