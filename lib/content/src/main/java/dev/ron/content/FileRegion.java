package dev.ron.content;

import java.nio.file.Path;

/**
 * Bytes where they lie, for a transport that sends them from the file without seeing them.
 *
 * <p>Threading: immutable.
 */
public record FileRegion(Path file, long position, long lengthBytes) {}
