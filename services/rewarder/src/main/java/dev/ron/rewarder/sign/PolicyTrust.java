package dev.ron.rewarder.sign;

import dev.ron.capability.signature.SignatureKind;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.RewarderFaultException;
import java.util.List;
import java.util.Set;

/**
 * Whose signature a policy needs.
 *
 * <p>Threading: immutable.
 *
 * @param required one good signature of each of these kinds; none lets any policy pass
 * @param keys public keys in base64 that are trusted
 */
public record PolicyTrust(List<SignatureKind> required, Set<String> keys) {
  public PolicyTrust {
    required = List.copyOf(required);
    keys = Set.copyOf(keys);
  }

  public void check(PolicyForm form) throws RewarderFaultException {
    for (SignatureKind kind : required) {
      boolean signed =
          form.signatures().stream()
              .anyMatch(
                  each ->
                      each.algorithm().equals(kind.word())
                          && keys.contains(each.key())
                          && kind.verifies(each.key(), form.signed().bytes(), each.value()));
      if (!signed) {
        throw new RewarderFaultException(
            new RewarderFault.UnsignedPolicy(
                "the policy has no good %s signature by a key that is trusted here"
                    .formatted(kind.word())));
      }
    }
  }
}
