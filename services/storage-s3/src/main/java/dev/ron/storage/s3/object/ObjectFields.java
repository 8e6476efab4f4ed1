package dev.ron.storage.s3.object;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.sigv4.payload.StoredEncoding;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.core.ObjectAddress;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.ObjectVersion.Pair;
import dev.ron.storage.s3.core.StoredChecksum;
import dev.ron.storage.s3.encryption.ClientKey;
import dev.ron.storage.s3.xml.XmlWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/**
 * The fields of a request that are stored with an object, and those that an answer has of it.
 *
 * <p>Threading: stateless.
 */
public final class ObjectFields {
  public static final String USER = "x-amz-meta-";

  private static final int USER_BYTES_MAX = 2048;
  private static final String TYPE = "Content-Type";
  private static final String USUAL_TYPE = "binary/octet-stream";

  private static final String REDIRECT = "x-amz-website-redirect-location";
  private static final String CLASS = "x-amz-storage-class";
  private static final String USUAL_CLASS = "STANDARD";

  private static final List<String> OF_EACH_COPY = List.of(CLASS, REDIRECT);

  private static final List<String> STORED =
      List.of("Cache-Control", "Content-Disposition", "Content-Language", "Expires", REDIRECT);

  private ObjectFields() {}

  /** What a request says of the object that it stores. */
  public static List<Pair> of(S3Call call) throws Refusal {
    var fields = new ArrayList<Pair>();
    String type = call.header(TYPE);
    fields.add(new Pair(TYPE, type == null || type.isBlank() ? USUAL_TYPE : type));
    for (String name : STORED) {
      call.field(name).ifPresent(value -> fields.add(new Pair(name, value)));
    }
    StoredEncoding.of(call.headers().all("Content-Encoding"))
        .ifPresent(value -> fields.add(new Pair("Content-Encoding", value)));
    String storageClass = call.header(CLASS);
    if (storageClass != null && !storageClass.equals(USUAL_CLASS)) {
      fields.add(new Pair(CLASS, storageClass));
    }
    addUser(call, fields);
    return fields;
  }

  private static void addUser(S3Call call, List<Pair> fields) throws Refusal {
    Headers headers = call.headers();
    var user = new TreeMap<String, String>();
    int bytes = 0;
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.nameAt(i).toLowerCase(Locale.ROOT);
      if (name.startsWith(USER)) {
        String value = headers.valueAt(i);
        user.merge(name, value, (first, second) -> first + "," + second);
        bytes += name.length() - USER.length() + value.length();
      }
    }
    if (bytes > USER_BYTES_MAX) {
      throw Refusal.of(new S3Fault.MetadataTooLarge(bytes, USER_BYTES_MAX));
    }
    user.forEach((name, value) -> fields.add(new Pair(name, value)));
  }

  /** Those of a copy that keeps its source's: all but what says how and where a copy is kept. */
  static List<Pair> copied(S3Call call, ObjectVersion source) {
    var fields = new ArrayList<Pair>();
    for (Pair field : source.fields()) {
      if (!OF_EACH_COPY.contains(field.name()) && !ObjectAddress.isAddress(field)) {
        fields.add(field);
      }
    }
    for (String name : OF_EACH_COPY) {
      call.field(name)
          .filter(value -> !value.equals(USUAL_CLASS))
          .ifPresent(value -> fields.add(new Pair(name, value)));
    }
    return fields;
  }

  /** Whether a copy that keeps its source's metadata differs from it all the same. */
  static boolean changesCopy(S3Call call) {
    return OF_EACH_COPY.stream().anyMatch(name -> call.header(name) != null)
        || call.header(RequestEncryption.FIELD) != null
        || call.header(ClientKey.OF_OBJECT + ClientKey.ALGORITHM) != null;
  }

  /** What an answer says of a version. */
  public static Headers answer(ObjectVersion version, boolean versioned) {
    var headers =
        new Headers(16)
            .add("ETag", version.etag().quoted())
            .add("Last-Modified", date(version.modifiedMillis()))
            .add("Accept-Ranges", "bytes");
    version.fields().forEach(field -> headers.add(field.name(), field.value()));
    ObjectAddress.derived(version).ifPresent(field -> headers.add(field.name(), field.value()));
    if (versioned) {
      headers.add("x-amz-version-id", version.versionId());
    }
    if (!version.tags().isEmpty()) {
      headers.add("x-amz-tagging-count", Integer.toString(version.tags().size()));
    }
    if (version.retention() != null) {
      headers
          .add("x-amz-object-lock-mode", version.retention().mode().name())
          .add(
              "x-amz-object-lock-retain-until-date",
              Instant.ofEpochMilli(version.retention().untilMillis()).toString());
    }
    if (version.legalHold()) {
      headers.add("x-amz-object-lock-legal-hold", "ON");
    }
    return headers;
  }

  /** The field that carries a checksum, with its type. */
  public static void addChecksum(Headers headers, StoredChecksum checksum) {
    headers
        .add("x-amz-checksum-" + checksum.algorithm().toLowerCase(Locale.ROOT), checksum.value())
        .add("x-amz-checksum-type", checksum.kind().name());
  }

  /** The same in a document. */
  public static void write(XmlWriter xml, StoredChecksum checksum) {
    xml.text("Checksum" + checksum.algorithm(), checksum.value())
        .text("ChecksumType", checksum.kind().name());
  }

  /** As a field has it. */
  public static String date(long millis) {
    return DateTimeFormatter.RFC_1123_DATE_TIME.format(
        Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC));
  }
}
