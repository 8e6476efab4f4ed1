package dev.ron.storage.s3.encryption;

import dev.ron.storage.s3.core.ObjectEncryption;
import org.jspecify.annotations.Nullable;

/** What the bytes that a request stores are encrypted with. */
public sealed interface EncryptionChoice {
  record Plain() implements EncryptionChoice {}

  record ServerKey() implements EncryptionChoice {}

  record OfClient(ClientKey key) implements EncryptionChoice {}

  /** Null for what is not encrypted. */
  default ObjectEncryption.@Nullable Kind kind() {
    return switch (this) {
      case Plain() -> null;
      case ServerKey() -> ObjectEncryption.Kind.SERVER_KEY;
      case OfClient(_) -> ObjectEncryption.Kind.CLIENT_KEY;
    };
  }
}
