package dev.ron.storage.cluster.reference;

import dev.ron.blake3.Address;
import dev.ron.blake3.CheckResult;
import dev.ron.capability.caveat.Owner;
import dev.ron.content.AddressKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The owners of an object as a machine accepted them last, in the form that is stored and sent.
 *
 * <p>Threading: immutable.
 */
public record OwnerRecord(Address address, Ballot ballot, Owners owners) {
  private static final String FORM = "r1";
  private static final int WORDS = 5;
  private static final String COLLECTED = "collected";
  private static final String KEPT = "kept";

  AddressKey key() {
    return AddressKey.of(address);
  }

  /** One line: form, address, ballot, size, whether it was collected, and each tenant. */
  public String text() {
    var words = new StringBuilder();
    words.append(FORM).append(' ').append(address).append(' ').append(ballot.text());
    words.append(' ').append(owners.sizeBytes());
    words.append(' ').append(owners.collected() ? COLLECTED : KEPT);
    owners
        .tenants()
        .forEach((tenant, write) -> words.append(' ').append(tenant).append('/').append(write));
    return words.toString();
  }

  /** Empty if it is not understood. */
  public static Optional<OwnerRecord> parse(String text) {
    List<String> words = List.of(text.split(" ", -1));
    if (words.size() < WORDS || !words.getFirst().equals(FORM)) {
      return Optional.empty();
    }
    Optional<Ballot> ballot = Ballot.parse(words.get(2));
    Optional<Map<String, String>> tenants = tenants(words.subList(WORDS, words.size()));
    if (ballot.isEmpty()
        || tenants.isEmpty()
        || !words.get(3).matches("[0-9]{1,18}")
        || !words.get(4).matches(COLLECTED + "|" + KEPT)) {
      return Optional.empty();
    }
    var owners =
        new Owners(Long.parseLong(words.get(3)), tenants.get(), words.get(4).equals(COLLECTED));
    return Address.parse(words.get(1)) instanceof CheckResult.Good<Address>(Address address)
        ? Optional.of(new OwnerRecord(address, ballot.get(), owners))
        : Optional.empty();
  }

  private static Optional<Map<String, String>> tenants(List<String> words) {
    var tenants = new TreeMap<String, String>();
    try {
      for (String word : words) {
        int slash = word.indexOf('/');
        if (slash < 1 || tenants.size() == Owners.TENANTS_MAX) {
          return Optional.empty();
        }
        tenants.put(
            String.valueOf(new Owner(word.substring(0, slash)).tenant()),
            word.substring(slash + 1));
      }
      return Optional.of(tenants);
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
