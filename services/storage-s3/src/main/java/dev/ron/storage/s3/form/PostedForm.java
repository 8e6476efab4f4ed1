package dev.ron.storage.s3.form;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The fields of a form, all of which come before its file; what comes behind is not read.
 *
 * <p>Threading: owned by the request's thread.
 *
 * @param fields by their names in lower case
 * @param filename what the sender calls the file, without a path; may be empty
 * @param file its bytes, still to come
 */
record PostedForm(Map<String, String> fields, String filename, InputStream file) {
  private static final int FIELD_BYTES_MAX = 20 << 10;
  private static final int FIELDS_MAX = 128;
  private static final String FILENAME = "${filename}";

  PostedForm {
    fields = new LinkedHashMap<>(fields);
  }

  static PostedForm read(InputStream body, String boundary) throws IOException {
    var parts = new FormParts(body, boundary);
    var fields = new LinkedHashMap<String, String>();
    int left = FIELD_BYTES_MAX;
    for (Optional<FormPart> part = parts.next(); part.isPresent(); part = parts.next()) {
      String name = part.get().name().toLowerCase(Locale.ROOT);
      if (name.equals("file")) {
        return new PostedForm(fields, base(part.get().filename()), parts);
      }
      byte[] value = parts.readNBytes(left + 1);
      left -= value.length + name.length();
      if (left < 0 || fields.size() == FIELDS_MAX) {
        throw Refusal.of(new S3Fault.MaxMessageLengthExceeded(FIELD_BYTES_MAX));
      }
      if (fields.put(name, new String(value, UTF_8)) != null) {
        throw Refusal.of(new S3Fault.InvalidArgument("the form has two fields " + name));
      }
    }
    throw Refusal.of(
        new S3Fault.InvalidArgument("POST requires exactly one file upload per request."));
  }

  /** Some browsers send the whole path. */
  private static String base(String filename) {
    return filename.substring(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1);
  }

  Optional<String> field(String name) {
    return Optional.ofNullable(fields.get(name));
  }

  boolean has(String name) {
    return fields.containsKey(name);
  }

  /** The key that the file is stored under. */
  String key() throws Refusal {
    return field("key")
        .filter(key -> !key.isEmpty())
        .map(key -> key.replace(FILENAME, filename))
        .orElseThrow(
            () ->
                Refusal.of(
                    new S3Fault.InvalidArgument(
                        "Bucket POST must contain a field named 'key', before its file")));
  }
}
