package dev.ron.usage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.blake3.CheckResult;
import dev.ron.capability.signature.SignatureKind;
import dev.ron.http.Refusal;
import dev.ron.http.json.JsonTree;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A node's word for what was used in a span: the address of its accounting, the sums, and the seal
 * before it, signed. Its bytes are canonical JSON, so a seal has one address.
 *
 * <p>Threading: immutable.
 *
 * @param node {@link #nodeOf} the key that signs
 * @param previous the address of the seal before; empty for the first
 * @param counts the sum of each metric, in digits
 * @param lost why the span has no accounting although something was used; empty for all others
 */
public record Seal(
    String node,
    long number,
    Instant from,
    Instant to,
    Address accounting,
    Optional<Address> previous,
    SortedMap<String, String> counts,
    Optional<String> lost,
    List<Map<String, String>> signatures) {
  private static final String TAG = "ron/usage-seal/v1\n";
  private static final long VERSION = 1;
  private static final int NODE_DIGITS = 16;

  public Seal {
    counts = new TreeMap<>(counts);
    signatures = List.copyOf(signatures);
  }

  /** Signs what a span came to. */
  public static Seal of(UsageSpan span, Optional<Address> previous, SealSigner signer) {
    return signed(span, previous, Optional.empty(), signer);
  }

  /** Signs that a span's counts are lost, so that the chain can go on. */
  static Seal lost(UsageSpan empty, Optional<Address> previous, String why, SealSigner signer) {
    return signed(empty, previous, Optional.of(why), signer);
  }

  private static Seal signed(
      UsageSpan span, Optional<Address> previous, Optional<String> lost, SealSigner signer) {
    var open =
        new Seal(
            nodeOf(signer.publicKeys().getFirst()),
            span.number(),
            span.from(),
            span.to(),
            accountingOf(span),
            previous,
            AccountingLines.counts(span.units()),
            lost,
            List.of());
    return open.signedBy(signer.sign(open.signedBytes()));
  }

  /** The address that the accounting of a span has. */
  static Address accountingOf(UsageSpan span) {
    return new Address(Blake3.hash(AccountingLines.write(span.units())));
  }

  private Seal signedBy(List<Map<String, String>> by) {
    return new Seal(node, number, from, to, accounting, previous, counts, lost, by);
  }

  /** The short name of a node, from its public key in base64. */
  public static String nodeOf(String publicKey) {
    return Blake3.hash(publicKey.getBytes(UTF_8)).hex().substring(0, NODE_DIGITS);
  }

  private Map<String, @Nullable Object> fields() {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("version", VERSION);
    fields.put("node", node);
    fields.put("number", number);
    fields.put("from", from.toString());
    fields.put("to", to.toString());
    fields.put("accounting", accounting.toString());
    fields.put("previous", previous.map(Address::toString).orElse(null));
    fields.put("counts", counts);
    lost.ifPresent(why -> fields.put("lost", why));
    return fields;
  }

  private byte[] signedBytes() {
    return (TAG + CanonicalJson.text(fields())).getBytes(UTF_8);
  }

  public byte[] bytes() {
    Map<String, @Nullable Object> fields = fields();
    fields.put("signatures", signatures);
    return CanonicalJson.bytes(fields);
  }

  public Address address() {
    return new Address(Blake3.hash(bytes()));
  }

  /** The key whose name is the node's and whose signature fits; empty if there is none. */
  public Optional<String> signer() {
    for (Map<String, String> each : signatures) {
      String key = each.getOrDefault("key", "");
      Optional<SignatureKind> kind = SignatureKind.of(each.getOrDefault("alg", ""));
      if (kind.isPresent()
          && nodeOf(key).equals(node)
          && kind.get().verifies(key, signedBytes(), each.getOrDefault("sig", ""))) {
        return Optional.of(key);
      }
    }
    return Optional.empty();
  }

  /** Throws {@link IOException} for bytes that are no seal in its one spelling. */
  public static Seal parse(byte[] bytes) throws IOException {
    try {
      Map<String, @Nullable Object> fields = JsonTree.object(bytes);
      if (!Long.valueOf(VERSION).equals(fields.get("version"))) {
        throw new IOException(
            "a seal of version %s, known is %d".formatted(fields.get("version"), VERSION));
      }
      Object previous = fields.get("previous");
      var seal =
          new Seal(
              text(fields, "node"),
              fields.get("number") instanceof Long number ? number : 0,
              Instant.parse(text(fields, "from")),
              Instant.parse(text(fields, "to")),
              address(text(fields, "accounting")),
              previous == null ? Optional.empty() : Optional.of(address((String) previous)),
              counts(fields.get("counts")),
              Optional.ofNullable((String) fields.get("lost")),
              signatures(fields.get("signatures")));
      if (!Arrays.equals(seal.bytes(), bytes)) {
        throw new IOException("a seal that is not spelled as seals are");
      }
      return seal;
    } catch (Refusal | ClassCastException | DateTimeException wrong) {
      throw new IOException("no seal: " + wrong.getMessage(), wrong);
    }
  }

  private static String text(Map<String, @Nullable Object> fields, String name) throws IOException {
    if (fields.get(name) instanceof String text) {
      return text;
    }
    throw new IOException("a seal without " + name);
  }

  private static Address address(String text) throws IOException {
    if (Address.parse(text) instanceof CheckResult.Good<Address>(Address address)) {
      return address;
    }
    throw new IOException("a seal with an address that is none");
  }

  private static SortedMap<String, String> counts(@Nullable Object raw) throws IOException {
    var counts = new TreeMap<String, String>();
    if (!(raw instanceof Map<?, ?> map)) {
      throw new IOException("a seal without counts");
    }
    map.forEach((metric, sum) -> counts.put((String) metric, (String) sum));
    return counts;
  }

  private static List<Map<String, String>> signatures(@Nullable Object raw) throws IOException {
    if (!(raw instanceof List<?> list)) {
      throw new IOException("a seal without signatures");
    }
    var signatures = new ArrayList<Map<String, String>>();
    for (Object each : list) {
      var signature = new LinkedHashMap<String, String>();
      ((Map<?, ?>) each).forEach((name, value) -> signature.put((String) name, (String) value));
      signatures.add(signature);
    }
    return signatures;
  }
}
