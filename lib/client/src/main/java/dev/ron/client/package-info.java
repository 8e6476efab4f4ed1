/**
 * What a program in Java calls the services with, over the same HTTP as anyone.
 *
 * <p>Services never depend on each other; one that needs another, and the command line, go through
 * here.
 *
 * <pre>
 * objects ................ StorageClient, FileUpload, StorageRefused
 * messages ............... MailboxClient, Delivery, MailboxRefused
 * </pre>
 */
@NullMarked
package dev.ron.client;

import org.jspecify.annotations.NullMarked;
