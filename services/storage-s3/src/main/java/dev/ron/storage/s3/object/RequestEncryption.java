package dev.ron.storage.s3.object;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.core.ObjectEncryption;
import dev.ron.storage.s3.encryption.ClientKey;
import dev.ron.storage.s3.encryption.ContentKey;
import dev.ron.storage.s3.encryption.EncryptionChoice;
import dev.ron.storage.s3.encryption.ObjectKeys;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a request says of encryption, and what an answer does.
 *
 * <p>What a client wants encrypted is never stored otherwise: a word that is not understood is
 * refused.
 *
 * <p>Threading: stateless.
 */
public final class RequestEncryption {
  /** The field by which the server's own key is asked for; all others begin with it. */
  static final String FIELD = "x-amz-server-side-encryption";

  private static final String KEY_SERVICE = "aws:kms";

  private RequestEncryption() {}

  /** What a request that stores an object asks for, or its bucket's rule does. */
  public static EncryptionChoice ofWrite(S3Call call, Bucket bucket) throws Refusal {
    requireKnown(call);
    String server = call.header(FIELD);
    Optional<ClientKey> client = client(call, ClientKey.OF_OBJECT);
    if (client.isPresent()) {
      if (server != null) {
        throw invalid(
            "Server Side Encryption with Customer provided key is incompatible with the encryption"
                + " method specified");
      }
      return new EncryptionChoice.OfClient(client.get());
    }
    if (server != null) {
      return serverKey(call, server);
    }
    return call.view().setting(bucket.id(), BucketSetting.ENCRYPTION, _ -> true).isPresent()
        ? new EncryptionChoice.ServerKey()
        : new EncryptionChoice.Plain();
  }

  private static EncryptionChoice serverKey(S3Call call, String asked) throws Refusal {
    boolean service = asked.startsWith(KEY_SERVICE);
    if (!service && call.header(FIELD + "-aws-kms-key-id") != null) {
      throw invalid(FIELD + "-aws-kms-key-id is for " + KEY_SERVICE);
    }
    if (service) {
      throw Refusal.of(new S3Fault.NotImplemented("encryption with keys of a key service"));
    }
    if (!asked.equals(ClientKey.AES256)) {
      throw invalid("The encryption method specified is not supported");
    }
    return new EncryptionChoice.ServerKey();
  }

  /** The fields of a form are the form's; those of the request around it would be passed over. */
  private static void requireKnown(S3Call call) throws Refusal {
    Headers sent = call.exchange().headers();
    for (int i = 0; i < sent.size(); i++) {
      String name = sent.nameAt(i).toLowerCase(Locale.ROOT);
      if (name.startsWith(FIELD) && call.header(name) == null) {
        throw invalid(name + " is not taken here");
      }
    }
    boolean alone = call.header(FIELD) == null;
    for (String of : new String[] {"-aws-kms-key-id", "-context", "-bucket-key-enabled"}) {
      if (alone && call.header(FIELD + of) != null) {
        throw invalid(FIELD + of + " without " + FIELD);
      }
    }
  }

  private static Optional<ClientKey> client(S3Call call, String names) throws Refusal {
    Optional<ClientKey> key = ClientKey.of(call.headers(), names);
    if (key.isPresent() && !call.isSecure() && !isLocal(call)) {
      throw Refusal.of(
          new S3Fault.InvalidRequest(
              "Requests specifying Server Side Encryption with Customer provided keys must be made"
                  + " over a secure connection."));
    }
    return key;
  }

  /** Over loopback or a socket, which no other machine sees. */
  private static boolean isLocal(S3Call call) {
    return !(call.exchange().peer() instanceof InetSocketAddress peer)
        || (peer.getAddress() != null && peer.getAddress().isLoopbackAddress());
  }

  /**
   * The key of an object that is read; null if it is not encrypted.
   *
   * @param names what the names of the fields of a client's key begin with
   */
  public static @Nullable ContentKey open(
      S3Call call, @Nullable ObjectEncryption encryption, String names) throws Refusal {
    Optional<ClientKey> client = client(call, names);
    if (encryption != null) {
      return call.context().keys().open(encryption, client);
    }
    if (client.isPresent()) {
      throw ObjectKeys.inapplicable();
    }
    return null;
  }

  /** The same for a request that reads and stores nothing, so it asks for nothing. */
  static @Nullable ContentKey openRead(S3Call call, @Nullable ObjectEncryption encryption)
      throws Refusal {
    if (call.header(FIELD) != null) {
      throw invalid(FIELD + " is for requests that store an object");
    }
    return open(call, encryption, ClientKey.OF_OBJECT);
  }

  /** The key of an upload, for a request that adds to it. */
  public static @Nullable ContentKey openUpload(S3Call call, @Nullable ObjectEncryption encryption)
      throws Refusal {
    String asked = call.header(FIELD);
    boolean serverKey = encryption != null && encryption.kind() == ObjectEncryption.Kind.SERVER_KEY;
    if (asked != null && !(serverKey && asked.equals(ClientKey.AES256))) {
      throw invalid("the upload was not begun with " + FIELD + ": " + asked);
    }
    return open(call, encryption, ClientKey.OF_OBJECT);
  }

  /** What an entity tag says for an MD5. */
  public static String tag(
      String md5, @Nullable ContentKey key, ObjectEncryption.@Nullable Kind kind) {
    return key != null && kind == ObjectEncryption.Kind.CLIENT_KEY ? key.tag(md5) : md5;
  }

  /** Says how an object is encrypted that a request stored or may read. */
  public static Headers add(Headers headers, S3Call call, @Nullable ObjectEncryption encryption) {
    if (encryption == null) {
      return headers;
    }
    return switch (encryption.kind()) {
      case SERVER_KEY -> headers.add(FIELD, ClientKey.AES256);
      case CLIENT_KEY -> {
        String md5 = call.header(ClientKey.OF_OBJECT + ClientKey.MD5);
        headers.add(ClientKey.OF_OBJECT + ClientKey.ALGORITHM, ClientKey.AES256);
        yield md5 == null ? headers : headers.add(ClientKey.OF_OBJECT + ClientKey.MD5, md5);
      }
    };
  }

  private static Refusal invalid(String why) {
    return Refusal.of(new S3Fault.InvalidArgument(why));
  }
}
