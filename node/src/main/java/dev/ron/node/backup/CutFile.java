package dev.ron.node.backup;

import java.nio.file.Path;

/**
 * A file of a cut.
 *
 * <p>Threading: immutable.
 *
 * @param name its place in the backup
 * @param path where its bytes are, until the cut is closed
 * @param size how many of them belong to the cut; the file may grow on
 */
record CutFile(String name, Path path, long size) {}
