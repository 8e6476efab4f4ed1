/**
 * Java clients of the storage and the mailbox, over their public HTTP interface.
 *
 * <pre>
 * objects of a storage ........... StorageClient
 * resumable upload of one file ... FileUpload
 * output that counts its bytes ... CountedOutput
 * progress of repair ............. RepairStatus
 * messages of a mailbox .......... MailboxClient
 * a received message ............. Delivery
 * calls to one service ........... ServiceClient
 * an answer that refuses ......... ServiceRefusal
 * </pre>
 */
@NullMarked
package dev.ron.client;

import org.jspecify.annotations.NullMarked;
