package dev.ron.rewarder;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.capability.signature.SignatureKind;
import dev.ron.http.json.JsonTree;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.rewarder.sign.Attestor;
import dev.ron.rewarder.sign.PolicyForm;
import dev.ron.usage.CanonicalJson;
import java.nio.file.Path;
import java.util.List;

/** A policy with the signatures of the keys in a folder. */
final class SignedPolicy {
  private SignedPolicy() {}

  static String with(Path keys, String policy) throws Exception {
    var document = JsonTree.object(policy.getBytes(UTF_8));
    Attestor attestor = Attestor.open(new RealDisk(), keys, List.of(SignatureKind.values()));
    document.put("signatures", attestor.sign(PolicyForm.signedBytes(document).bytes()));
    return CanonicalJson.text(document);
  }
}
