/**
 * What is on disk: {@link Shelf} is one home with its store, {@link DataDirectory} the folder under
 * it, {@link Spool} the parts of one upload.
 */
@NullMarked
package dev.ron.storage.disk;

import org.jspecify.annotations.NullMarked;
