/**
 * JSON in and out: {@link JsonAnswer} writes, {@link UploadWish} is what is read, {@link PeerWire}
 * is what nodes say to each other.
 */
@NullMarked
package dev.ron.storage.wire;

import org.jspecify.annotations.NullMarked;
