package dev.ron.node.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.capability.signature.SignatureKind;
import dev.ron.http.Refusal;
import dev.ron.http.json.JsonTree;
import dev.ron.usage.CanonicalJson;
import dev.ron.usage.Seal;
import dev.ron.usage.SealSigner;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one backup is: whose, of when, the root over its files, what was left out, signed by the
 * node's key.
 *
 * <p>Threading: immutable.
 *
 * @param node {@link Seal#nodeOf} the key that signs
 * @param root the hash of the list of files
 * @param list the pieces of that list
 * @param files how many there are
 * @param size bytes of all files
 * @param disks how many directories of objects the node had
 * @param leftOut what a restored node lacks, in words
 * @param damage what was found wrong when the backup was made
 */
record BackupManifest(
    String name,
    String node,
    Instant created,
    String root,
    BackupFile list,
    long files,
    long size,
    int disks,
    List<String> leftOut,
    List<String> damage,
    List<Map<String, String>> signatures) {
  private static final String TAG = "ron/backup/v1\n";
  private static final long VERSION = 1;
  private static final String LIST = "list of files";

  BackupManifest {
    leftOut = List.copyOf(leftOut);
    damage = List.copyOf(damage);
    signatures = List.copyOf(signatures);
  }

  BackupManifest signedBy(SealSigner signer) {
    return new BackupManifest(
        name,
        node,
        created,
        root,
        list,
        files,
        size,
        disks,
        leftOut,
        damage,
        signer.sign(signedBytes()));
  }

  private Map<String, @Nullable Object> fields() {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("version", VERSION);
    fields.put("name", name);
    fields.put("node", node);
    fields.put("created", created.toString());
    fields.put("root", root);
    fields.put("list", new ArrayList<Object>(list.pieces()));
    fields.put("list_size", list.size());
    fields.put("files", files);
    fields.put("size", size);
    fields.put("disks", (long) disks);
    fields.put("left_out", new ArrayList<Object>(leftOut));
    fields.put("damage", new ArrayList<Object>(damage));
    return fields;
  }

  private byte[] signedBytes() {
    return (TAG + CanonicalJson.text(fields())).getBytes(UTF_8);
  }

  byte[] bytes() {
    var fields = fields();
    fields.put("signatures", new ArrayList<Object>(signatures));
    return CanonicalJson.bytes(fields);
  }

  /** The key that signed it, if every signature holds and one is by the node it names. */
  private Optional<String> signer() {
    Optional<String> signer = Optional.empty();
    for (Map<String, String> each : signatures) {
      String key = String.valueOf(each.get("key"));
      boolean good =
          SignatureKind.of(String.valueOf(each.get("alg")))
              .filter(kind -> kind.verifies(key, signedBytes(), String.valueOf(each.get("sig"))))
              .isPresent();
      if (!good) {
        return Optional.empty();
      }
      if (Seal.nodeOf(key).equals(node)) {
        signer = Optional.of(key);
      }
    }
    return signer;
  }

  /**
   * @throws IOException if it is of another version, cannot be read, or is not signed by its node
   */
  static BackupManifest parse(String name, byte[] bytes) throws IOException {
    try {
      Map<String, @Nullable Object> fields = JsonTree.object(bytes);
      Object version = fields.get("version");
      if (!Long.valueOf(VERSION).equals(version)) {
        throw new IOException(
            "backup %s is of version %s, known is %d".formatted(name, version, VERSION));
      }
      var parsed =
          new BackupManifest(
              text(fields, "name"),
              text(fields, "node"),
              Instant.parse(text(fields, "created")),
              text(fields, "root"),
              new BackupFile(LIST, number(fields, "list_size"), texts(fields, "list")),
              number(fields, "files"),
              number(fields, "size"),
              Math.toIntExact(number(fields, "disks")),
              texts(fields, "left_out"),
              texts(fields, "damage"),
              signatures(fields));
      if (!parsed.name().equals(name) || parsed.signer().isEmpty()) {
        throw new IOException(
            "backup %s is not as node %s signed it".formatted(name, parsed.node()));
      }
      return parsed;
    } catch (Refusal | DateTimeException | IllegalArgumentException | ArithmeticException wrong) {
      throw new IOException("backup %s is damaged: %s".formatted(name, wrong.getMessage()), wrong);
    }
  }

  private static String text(Map<String, @Nullable Object> fields, String field) {
    if (fields.get(field) instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException("no " + field);
  }

  private static long number(Map<String, @Nullable Object> fields, String field) {
    if (fields.get(field) instanceof Long number && number >= 0) {
      return number;
    }
    throw new IllegalArgumentException("no " + field);
  }

  private static List<String> texts(Map<String, @Nullable Object> fields, String field) {
    if (fields.get(field) instanceof List<?> list) {
      return list.stream().map(String::valueOf).toList();
    }
    throw new IllegalArgumentException("no " + field);
  }

  private static List<Map<String, String>> signatures(Map<String, @Nullable Object> fields) {
    var all = new ArrayList<Map<String, String>>();
    if (fields.get("signatures") instanceof List<?> list) {
      for (Object each : list) {
        var one = new LinkedHashMap<String, String>();
        if (each instanceof Map<?, ?> map) {
          map.forEach((key, value) -> one.put(String.valueOf(key), String.valueOf(value)));
        }
        all.add(one);
      }
    }
    return all;
  }
}
