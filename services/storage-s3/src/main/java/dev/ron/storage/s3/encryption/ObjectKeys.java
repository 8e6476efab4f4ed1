package dev.ron.storage.s3.encryption;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.ObjectEncryption;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Makes the keys of objects, and opens them again.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
public record ObjectKeys(MasterKeys masters, RandomGenerator secrets) {
  /**
   * A key and how it is kept.
   *
   * @param key null for bytes that are not encrypted
   * @param encryption null with it
   */
  public record NewKey(@Nullable ContentKey key, @Nullable ObjectEncryption encryption) {
    private static final NewKey NONE = new NewKey(null, null);
  }

  /** A key that no other object has. */
  public NewKey make(EncryptionChoice choice) throws Refusal {
    if (choice instanceof EncryptionChoice.Plain) {
      return NewKey.NONE;
    }
    byte[] bytes = new byte[Aes.KEY_BYTES];
    secrets.nextBytes(bytes);
    var key = new ContentKey(bytes, secrets);
    return new NewKey(key, kept(key, choice));
  }

  /** The same key for an object that shares the bytes of another. */
  public ObjectEncryption kept(ContentKey key, EncryptionChoice choice) throws Refusal {
    return switch (choice) {
      case EncryptionChoice.Plain() -> throw new IllegalArgumentException("nothing to encrypt");
      case EncryptionChoice.ServerKey() -> {
        String id = masters.current().orElseThrow(ObjectKeys::noMaster);
        byte[] master = masters.key(id).orElseThrow(ObjectKeys::noMaster);
        yield new ObjectEncryption(
            ObjectEncryption.Kind.SERVER_KEY, id, KeyEnvelope.sealed(master, key.bytes(), secrets));
      }
      case EncryptionChoice.OfClient(ClientKey client) ->
          new ObjectEncryption(
              ObjectEncryption.Kind.CLIENT_KEY,
              "",
              KeyEnvelope.sealed(client.key(), key.bytes(), secrets));
    };
  }

  private static Refusal noMaster() {
    return Refusal.of(
        new S3Fault.NotImplemented(
            "encryption with a key of the server's: storage.s3.master_keys names no file of keys,"
                + " which"));
  }

  /**
   * @param client the key that the request sent, if it sent one
   */
  public ContentKey open(ObjectEncryption encryption, Optional<ClientKey> client) throws Refusal {
    return switch (encryption.kind()) {
      case SERVER_KEY -> {
        if (client.isPresent()) {
          throw inapplicable();
        }
        byte[] master =
            masters
                .key(encryption.masterKey())
                .orElseThrow(() -> lost(encryption.masterKey() + " is not in the file"));
        yield KeyEnvelope.opened(master, encryption.wrappedKey())
            .map(key -> new ContentKey(key, secrets))
            .orElseThrow(() -> lost(encryption.masterKey() + " does not open the object"));
      }
      case CLIENT_KEY -> {
        ClientKey key = client.orElseThrow(() -> refused(NEEDED));
        yield KeyEnvelope.opened(key.key(), encryption.wrappedKey())
            .map(opened -> new ContentKey(opened, secrets))
            .orElseThrow(() -> refused(WRONG));
      }
    };
  }

  private static final String NEEDED =
      "The object was stored using a form of Server Side Encryption. The correct parameters must be"
          + " provided to retrieve the object.";

  private static final String WRONG =
      "The provided encryption parameters did not match the ones used originally.";

  /** A client's key for what none was used for. */
  public static Refusal inapplicable() {
    return refused("The encryption parameters are not applicable to this object.");
  }

  private static Refusal refused(String why) {
    return Refusal.of(new S3Fault.InvalidRequest(why));
  }

  private static Refusal lost(String why) {
    return Refusal.of(new S3Fault.ServerError("of the master keys, " + why));
  }
}
