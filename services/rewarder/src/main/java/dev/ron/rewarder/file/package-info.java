/**
 * Files on a kernel disk, read and written in order, and the disk of amnesia mode.
 *
 * <pre>
 * sequential reader of a file part ......... DiskInput
 * sequential writer of a file .............. DiskOutput
 * files closed together .................... FileGroup
 * files in memory, gone with the process ... AmnesiaDisk
 * </pre>
 */
@NullMarked
package dev.ron.rewarder.file;

import org.jspecify.annotations.NullMarked;
