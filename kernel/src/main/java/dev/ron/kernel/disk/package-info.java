/**
 * The file system behind an interface, so that tests can make it fail.
 *
 * <pre>
 * what durable code asks of a disk ... Disk
 * an open file ....................... DiskFile
 * the machine's disk and files ....... RealDisk, RealFile
 * operations that do not come back ... TimedDisk
 * permissions of new files ........... OwnerOnly
 * </pre>
 */
@NullMarked
package dev.ron.kernel.disk;

import org.jspecify.annotations.NullMarked;
