/** JSON in and out: {@link JsonAnswer} writes, {@link UploadWish} is what is read. */
@NullMarked
package dev.ron.storage.wire;

import org.jspecify.annotations.NullMarked;
