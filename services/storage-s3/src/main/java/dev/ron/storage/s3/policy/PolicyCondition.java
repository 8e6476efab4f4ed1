package dev.ron.storage.s3.policy;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What must be true of a request for a statement to be about it.
 *
 * <p>Threading: immutable.
 *
 * @param ifExists whether it holds for a request that has no such key
 */
record PolicyCondition(
    PolicyOperator operator, boolean ifExists, ConditionKey key, List<String> values) {
  PolicyCondition {
    values = List.copyOf(values);
  }

  boolean holds(PolicyRequest request) {
    Optional<String> has = request.value(key);
    if (operator == PolicyOperator.NULL) {
      String absent = Boolean.toString(has.isEmpty());
      return values.stream().anyMatch(said -> said.toLowerCase(Locale.ROOT).equals(absent));
    }
    if (has.isEmpty()) {
      return ifExists || operator.negated();
    }
    boolean fits = values.stream().anyMatch(said -> operator.test(said, has.get()));
    return fits != operator.negated();
  }

  /** Whether only some networks can meet it. */
  boolean narrows() {
    return operator == PolicyOperator.IP_ADDRESS
        && !ifExists
        && key.name().equals(ConditionKey.SOURCE_IP)
        && values.stream()
            .allMatch(
                said -> AddressRange.parse(said).filter(range -> range.bits() > 0).isPresent());
  }
}
