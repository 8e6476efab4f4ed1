/**
 * Locks: versions that cannot be deleted before their time.
 *
 * <pre>
 * show the lock of new versions ........... GetObjectLockConfiguration
 * set the lock of new versions ............ PutObjectLockConfiguration
 * show until when a version is locked ..... GetObjectRetention
 * lock a version until a time ............. PutObjectRetention
 * show whether a version is held .......... GetObjectLegalHold
 * hold a version, or let it go ............ PutObjectLegalHold
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3.lock;

import org.jspecify.annotations.NullMarked;
