package dev.ron.content;

import java.nio.channels.FileChannel;

/**
 * A {@link FileRegion} whose file is open, for a transport that sends from a descriptor.
 *
 * <p>The channel is shared by all that send from the file: it must not be closed, and not be used
 * by a thread that may be interrupted in it.
 *
 * <p>Threading: immutable.
 */
public record OpenRegion(FileChannel file, long position, long lengthBytes) {}
