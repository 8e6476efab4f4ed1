/**
 * Bytes that are encrypted before they are stored.
 *
 * <pre>
 * the cipher .................................... Aes
 * the key of one object, and its blocks ......... ContentKey
 * a key encrypted with another .................. KeyEnvelope
 * the server's keys, in a file .................. MasterKeys
 * a key that a client sends along ............... ClientKey
 * whose key is used ............................. EncryptionChoice
 * makes and opens the keys of objects ........... ObjectKeys
 * what a bucket's rule says ..................... BucketEncryption
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3.encryption;

import org.jspecify.annotations.NullMarked;
