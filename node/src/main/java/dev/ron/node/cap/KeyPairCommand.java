package dev.ron.node.cap;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.capability.KeyPair;
import dev.ron.capability.SecretFile;
import dev.ron.capability.caveat.Caveat;
import dev.ron.node.profile.UserProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * A token as an access key id and a secret, for clients that sign requests; needs no key and no
 * node.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "keypair",
    description = "The token as an access key id and a secret, for clients of S3 and SQS.")
final class KeyPairCommand implements Callable<Integer> {
  private static final Pattern KEY =
      Pattern.compile("(?i)(aws_access_key_id|aws_secret_access_key|aws_session_token)\\s*[=:].*");

  @Parameters(
      paramLabel = "TOKEN",
      arity = "0..1",
      defaultValue = "${env:RON_CAP:-}",
      description = "The capability; the variable RON_CAP, or the profile's, if not given.")
  private String token = "";

  @Option(names = "--json", description = "As a credential_process of the AWS SDKs prints it.")
  private boolean json;

  @Option(
      names = "--profile",
      description = "Write it as this profile of ~/.aws/credentials; other profiles stay.")
  private @Nullable String profile;

  @Override
  public Integer call() throws IOException {
    KeyPair pair = KeyPair.of(CapCommand.decoded(token));
    if (profile != null) {
      if (json) {
        throw new IllegalArgumentException("either --json or --profile, not both");
      }
      Path file = credentials(System.getenv());
      write(file, profile, pair);
      System.out.printf("wrote profile %s to %s%n", profile, file);
    } else if (json) {
      System.out.println(json(pair.accessKeyId(), pair));
    } else {
      System.out.printf(
          "access key id      %s%nsecret access key  %s%n", pair.accessKeyId(), pair.secret());
    }
    return 0;
  }

  /** No value needs an escape: base64 and instants. */
  static String json(String id, KeyPair pair) {
    String end = expiry(pair).map(at -> ",\"Expiration\":\"" + at + "\"").orElse("");
    return "{\"Version\":1,\"AccessKeyId\":\"%s\",\"SecretAccessKey\":\"%s\"%s}"
        .formatted(id, pair.secret(), end);
  }

  private static Optional<Instant> expiry(KeyPair pair) {
    return pair.caveats().stream()
        .filter(Caveat.Expiry.class::isInstance)
        .map(caveat -> ((Caveat.Expiry) caveat).at())
        .min(Instant::compareTo);
  }

  /** Where the AWS SDKs look, by the same variable. */
  static Path credentials(Map<String, String> environment) {
    String named = environment.getOrDefault("AWS_SHARED_CREDENTIALS_FILE", "");
    return named.isEmpty()
        ? UserProfile.home(environment).resolve(".aws").resolve("credentials")
        : Path.of(named);
  }

  /** Replaces the profile's keys and nothing else; the file is the owner's alone afterwards. */
  static void write(Path file, String profile, KeyPair pair) throws IOException {
    if (!profile.matches("[A-Za-z0-9._-]+")) {
      throw new IllegalArgumentException("a profile's name is made of A-Z a-z 0-9 . _ -");
    }
    // A link stays a link: what it points at is replaced.
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    List<String> lines = Files.exists(target) ? Files.readAllLines(target, UTF_8) : List.of();
    Path folder = target.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    SecretFile.replace(target, String.join("\n", merged(lines, profile, pair)) + "\n");
  }

  private static List<String> merged(List<String> lines, String profile, KeyPair pair) {
    var keys =
        List.of(
            "aws_access_key_id = " + pair.accessKeyId(),
            "aws_secret_access_key = " + pair.secret());
    var merged = new ArrayList<String>();
    boolean inside = false;
    boolean written = false;
    for (String line : lines) {
      if (line.strip().startsWith("[")) {
        inside = name(line.strip()).equals(profile);
      }
      if (!inside || !isKey(line)) {
        merged.add(line);
      }
      if (inside && !written) {
        merged.addAll(keys);
        written = true;
      }
    }
    if (!written) {
      if (!merged.isEmpty()) {
        merged.add("");
      }
      merged.add("[" + profile + "]");
      merged.addAll(keys);
    }
    return merged;
  }

  /** Of the profile that a line begins; what is behind the bracket is a comment. */
  private static String name(String head) {
    int end = head.lastIndexOf(']');
    return end < 0 ? "" : head.substring(1, end);
  }

  /** In every form that is read: with one of them twice, programs refuse the whole file. */
  private static boolean isKey(String line) {
    return KEY.matcher(line.strip()).matches();
  }
}
