/**
 * Map packs: found in folders, verified from end to end, served by name.
 *
 * <pre>
 * files and folders that are watched ....... PackFolders
 * a file found there ....................... PackFile
 * supervised loop that looks for changes ... PackWatch
 * work for the verifier .................... PackJob
 * supervised loop that reads packs whole ... PackVerifier
 * a verified pack and its readers .......... MountedPack
 * packs served now, by name ................ MountedPacks
 * </pre>
 */
@NullMarked
package dev.ron.edge.pack;

import org.jspecify.annotations.NullMarked;
