/**
 * Files of the edge.
 *
 * <pre>
 * packs that are served .. PackShelf, MountedPack      files that should be .. PackFolders, PackFile
 * </pre>
 */
@NullMarked
package dev.ron.edge.disk;

import org.jspecify.annotations.NullMarked;
