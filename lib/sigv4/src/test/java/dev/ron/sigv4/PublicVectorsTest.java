package dev.ron.sigv4;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The public vectors of signature version 4: each request in both forms, with its canonical form,
 * the text that is signed, and the signature.
 *
 * <p>They are read from {@code -Dron.sigv4.vectors=FOLDER}, a folder with one folder for each.
 */
class PublicVectorsTest {
  private static final Instant TIME = Instant.parse("2015-08-30T12:36:00Z");
  private static final String ID = "AKIDEXAMPLE";
  private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

  /** These name a session token that is sent and not signed, which must not pass here. */
  private static final List<String> TOKEN_NOT_SIGNED = List.of("post-sts-header-after");

  private record Message(SignedRequest request, String bodySha256) {}

  @TestFactory
  Stream<DynamicTest> vectorsAgree() throws IOException {
    Path folder = folder();
    assumeTrue(Files.isDirectory(folder), "NOT RUN: no public signature vectors in " + folder);
    List<Path> vectors;
    try (Stream<Path> list = Files.list(folder)) {
      vectors = list.filter(Files::isDirectory).sorted().toList();
    }
    assertThat(vectors).as("vectors in %s", folder).hasSizeGreaterThanOrEqualTo(38);
    return vectors.stream()
        .flatMap(
            vector ->
                Stream.of("header", "query")
                    .map(
                        form ->
                            DynamicTest.dynamicTest(
                                vector.getFileName() + " " + form, () -> agrees(vector, form))));
  }

  private static Path folder() {
    String given = System.getProperty("ron.sigv4.vectors", "");
    return given.isEmpty()
        ? Path.of(System.getProperty("ron.root", "."), "..", "shared", "vectors", "sigv4")
        : Path.of(given);
  }

  private static void agrees(Path vector, String form) throws Exception {
    String context = Files.readString(vector.resolve("context.json"));
    boolean normal = Pattern.compile("\"normalize\"\\s*:\\s*true").matcher(context).find();
    // Without normal form the vectors are those of S3's path, but of no service with its payload.
    var rules = new ServiceRules("service", !normal, false);
    Message message = message(read(vector, form + "-signed-request.txt"));
    var query = RequestQuery.parse(message.request.rawQuery());
    Authorization signed = Authorization.of(message.request, query).orElseThrow();
    var announced = message.request.values("x-amz-content-sha256");
    var canonical =
        CanonicalRequest.of(
            rules,
            message.request,
            query,
            // A token that joins after the signing is not in the canonical query either.
            p ->
                p.isNamed("X-Amz-Signature")
                    || (p.isNamed("X-Amz-Security-Token") && tokenNotSigned(vector)),
            signed.signedHeaders(),
            announced.isEmpty() ? message.bodySha256 : announced.getFirst());
    assertThat(canonical.text()).isEqualTo(read(vector, form + "-canonical-request.txt"));
    String stringToSign = canonical.stringToSign(signed.time(), signed.scope());
    assertThat(stringToSign).isEqualTo(read(vector, form + "-string-to-sign.txt"));
    String signature = DerivedKey.of(SECRET, signed.scope()).sign(stringToSign);
    assertThat(signature).isEqualTo(read(vector, form + "-signature.txt").strip());

    var verifier =
        new SignatureVerifier(
            rules, claim -> new KeySource.Found.Key(DerivedKey.of(SECRET, claim.scope())));
    var outcome = verifier.verify(message.request, message.bodySha256, TIME.plusSeconds(60));
    if (tokenNotSigned(vector)) {
      assertThat(outcome).isInstanceOf(Verification.Refused.class);
    } else {
      assertThat(Requests.verified(outcome).accessKeyId()).isEqualTo(ID);
    }
  }

  private static boolean tokenNotSigned(Path vector) {
    return TOKEN_NOT_SIGNED.contains(vector.getFileName().toString());
  }

  private static String read(Path vector, String file) throws IOException {
    return Files.readString(vector.resolve(file), ISO_8859_1);
  }

  /** Reads a request; a line that begins with a space goes on with the field before it. */
  private static Message message(String text) {
    int end = text.indexOf("\n\n");
    String head = end < 0 ? text : text.substring(0, end);
    String body = end < 0 ? "" : text.substring(end + 2);
    var lines = new ArrayList<String>();
    for (String line : head.strip().lines().toList()) {
      if (line.startsWith(" ")) {
        lines.add(lines.removeLast() + " " + line.strip());
      } else {
        lines.add(line);
      }
    }
    String first = lines.getFirst();
    lines.set(0, first.substring(0, first.lastIndexOf(' ')));
    return new Message(Requests.of(String.join("\n", lines)), SignatureText.sha256(body));
  }
}
