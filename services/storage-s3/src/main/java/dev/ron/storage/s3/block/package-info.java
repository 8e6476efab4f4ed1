/**
 * Bodies as blocks that are kept under the hash of their bytes.
 *
 * <pre>
 * the stores of blocks ....................... BlockStore
 * cuts a body into blocks .................... BodyWriter
 * how it is cut .............................. BodyCut
 * the address of the whole ................... AddressComposer
 * sends bytes of an object ................... ObjectBodyReader
 * blocks in use by requests under way ........ BlockPins
 * bytes of bodies in memory .................. BlockMemory
 * deletes what lost its last name ............ BlockCollector
 * deletes what never got a name .............. OrphanSweep
 * a buffer as a stream ....................... BufferStream
 * an extent of a block that is encrypted ..... EncryptedExtent
 * an object's bytes as a stream .............. ContentStream
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3.block;

import org.jspecify.annotations.NullMarked;
