/**
 * Reads the names of a node that does not run yet, and says what is lost of them.
 *
 * <pre>
 * rows, log and blocks held together ....... NameCheck
 * rows that follow from others compared .... RowCheck
 * versions whose server's key is gone ...... MasterKeyCheck
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3.check;

import org.jspecify.annotations.NullMarked;
