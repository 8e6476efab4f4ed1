package dev.ron.storage.s3.api;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which operation a request means: by its method, by what it is about, and by a parameter that
 * names a part of that.
 *
 * <p>Threading: immutable once built.
 */
public final class S3Operations {
  /** Parameters that name a part of a bucket or object, in order; all others only qualify. */
  static final List<String> PARTS =
      List.of(
          "abac",
          "accelerate",
          "acl",
          "analytics",
          "append",
          "attributes",
          "cors",
          "delete",
          "encryption",
          "intelligent-tiering",
          "inventory",
          "legal-hold",
          "lifecycle",
          "location",
          "logging",
          "metadataConfiguration",
          "metadataInventoryTable",
          "metadataJournalTable",
          "metadataTable",
          "metrics",
          "notification",
          "object-lock",
          "ownershipControls",
          "policy",
          "policyStatus",
          "publicAccessBlock",
          "renameObject",
          "replication",
          "requestPayment",
          "restore",
          "retention",
          "select",
          "session",
          "tagging",
          "torrent",
          "uploadId",
          "uploads",
          "versioning",
          "versions",
          "website");

  /** Parameters of changes that only qualify and may be empty. */
  private static final Set<String> QUALIFIERS = Set.of("partNumber", "versionId", "x-id");

  private static final Set<String> READS = Set.of("GET", "HEAD");

  /** A row of the table. */
  public record Operation(String name, S3Verb<?, ?> verb) {}

  /**
   * @param copies whether the bytes come from another object instead of the request
   */
  private record Place(String method, S3Target.Level level, String part, boolean copies) {}

  private final Map<Place, Operation> table = new HashMap<>();

  /**
   * @param part the parameter that names it; empty for the thing itself
   */
  public S3Operations add(
      String method, S3Target.Level level, String part, String name, S3Verb<?, ?> verb) {
    return add(new Place(method, level, part, false), new Operation(name, verb));
  }

  /** What a request means instead if it names an object to copy from. */
  public S3Operations addCopy(
      String method, S3Target.Level level, String part, String name, S3Verb<?, ?> verb) {
    return add(new Place(method, level, part, true), new Operation(name, verb));
  }

  private S3Operations add(Place place, Operation operation) {
    String part = place.part();
    if (!part.isEmpty() && !PARTS.contains(part)) {
      throw new IllegalArgumentException(part + " is not known to name a part");
    }
    if (table.put(place, operation) != null) {
      throw new IllegalArgumentException(operation.name() + " is there twice");
    }
    return this;
  }

  /**
   * Refuses a change that names a part which is not known, as parameters without a value do: taken
   * for one of the whole, it would replace an object that was to be renamed, or delete a bucket
   * with a setting of it. A part whose upload is not said would replace the object that it is to be
   * a part of.
   */
  private static void requireKnown(String method, S3Query query) throws Refusal {
    if (READS.contains(method)) {
      return;
    }
    if (query.has("partNumber") && !query.has("uploadId")) {
      throw Refusal.of(new S3Fault.InvalidArgument("partNumber without uploadId"));
    }
    for (S3Query.Parameter parameter : query.parameters()) {
      String name = parameter.name();
      if (parameter.value().isEmpty()
          && !PARTS.contains(name)
          && !QUALIFIERS.contains(name)
          && !name.toLowerCase(Locale.ROOT).startsWith("x-amz-")) {
        throw Refusal.of(new S3Fault.NotImplemented(method + " of " + name));
      }
    }
  }

  /** The first of the parts that are named. */
  private static String part(S3Query query) {
    int first = PARTS.size();
    for (S3Query.Parameter parameter : query.parameters()) {
      int place = Collections.binarySearch(PARTS, parameter.name());
      first = place >= 0 ? Math.min(place, first) : first;
    }
    return first < PARTS.size() ? PARTS.get(first) : "";
  }

  /**
   * @param copies whether the request names an object to copy from
   */
  Operation find(String method, S3Target.Level level, S3Query query, boolean copies)
      throws Refusal {
    requireKnown(method, query);
    String part = part(query);
    Operation plain = table.get(new Place(method, level, part, false));
    Operation found =
        copies ? table.getOrDefault(new Place(method, level, part, true), plain) : plain;
    if (found != null) {
      return found;
    }
    // What is only answered and cannot be set is not implemented; what can be, has its methods.
    boolean known =
        table.keySet().stream()
            .anyMatch(
                place ->
                    place.level == level && place.part.equals(part) && !place.method.equals("GET"));
    Optional<String> named = Optional.of(part).filter(text -> !text.isEmpty());
    throw Refusal.of(
        known || part.isEmpty()
            ? new S3Fault.MethodNotAllowed(method)
            : new S3Fault.NotImplemented(method + " of " + named.orElse("this")));
  }
}
