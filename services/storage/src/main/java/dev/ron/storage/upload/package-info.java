/**
 * Multipart uploads: parts arrive in any order, wait in a spool file, survive a restart, and become
 * one object.
 *
 * <pre>
 * all open uploads ......................... Uploads
 * which are open, by their ids ............. OpenUploads
 * one upload and its parts ................. Upload
 * spool file with a slot per part .......... UploadSpool
 * parts composed and stored as an object ... UploadCompletion
 * task that drops expired uploads .......... UploadSweep
 * </pre>
 */
@NullMarked
package dev.ron.storage.upload;

import org.jspecify.annotations.NullMarked;
