/**
 * Bodies as signed requests send them: hashed as a whole, or in chunks with signatures and
 * trailers.
 *
 * <pre>
 * the body behind a request's mode ......... PayloadStreams
 * chunks, byte by byte ..................... ChunkedPayload
 * lines between the chunks ................. ChunkLines
 * fields after the last chunk .............. PayloadTrailer
 * signatures from chunk to chunk ........... ChunkSignatures
 * a body out of its chunks, as a stream .... ChunkedPayloadStream
 * a body against its hash, as a stream ..... HashedPayloadStream
 * a body that is refused ................... PayloadFailure
 * Content-Encoding without the framing ..... StoredEncoding
 * </pre>
 */
@NullMarked
package dev.ron.sigv4.payload;

import org.jspecify.annotations.NullMarked;
