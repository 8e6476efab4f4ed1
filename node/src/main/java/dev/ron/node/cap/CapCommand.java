package dev.ron.node.cap;

import dev.ron.capability.KeyRing;
import dev.ron.capability.KeyRingFile;
import dev.ron.capability.Macaroon;
import dev.ron.capability.MacaroonCodec;
import dev.ron.capability.RevocationFile;
import dev.ron.capability.TokenId;
import dev.ron.capability.caveat.Caveat;
import dev.ron.config.value.Durations;
import dev.ron.kernel.time.SystemTime;
import dev.ron.node.NodeKeys;
import dev.ron.node.cli.CommandClient;
import dev.ron.node.profile.UserProfile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Capabilities, made and looked at without a running node.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "cap",
    description =
        "Mint, attenuate, inspect and revoke capabilities; rotate their key; make key pairs.",
    subcommands = {
      CapCommand.Mint.class,
      CapCommand.Attenuate.class,
      CapCommand.Inspect.class,
      CapCommand.Show.class,
      KeyPairCommand.class,
      CapCommand.Revoke.class,
      CapCommand.Rotate.class
    })
public final class CapCommand {
  /** Makes a token with the node's key. */
  @Command(name = "mint", description = "A new token, signed with the key under --data.")
  static final class Mint implements Callable<Integer> {
    @Option(names = "--data", defaultValue = "./data", description = "The node's data folder.")
    private Path data = Path.of("./data");

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Mixin private final CaveatOptions caveats = new CaveatOptions();

    @Override
    public Integer call() throws IOException {
      List<Caveat> narrowed = caveats.caveats(new SystemTime().wall());
      System.out.println(printed(NodeKeys.open(data).mint(narrowed), json));
      return 0;
    }
  }

  /** Narrows a token; needs no key and no node. */
  @Command(name = "attenuate", description = "The token with more caveats. Needs no key.")
  static final class Attenuate implements Callable<Integer> {
    @Parameters(paramLabel = "TOKEN")
    private String token = "";

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Mixin private final CaveatOptions caveats = new CaveatOptions();

    @Override
    public Integer call() {
      Macaroon narrowed = decoded(token);
      for (Caveat caveat : caveats.caveats(new SystemTime().wall())) {
        narrowed = narrowed.attenuate(caveat);
      }
      System.out.println(printed(narrowed.token(), json));
      return 0;
    }
  }

  /** Shows what a token says; proves nothing about its signature. */
  @Command(name = "inspect", description = "What a token says, without checking its signature.")
  static final class Inspect implements Callable<Integer> {
    @Parameters(paramLabel = "TOKEN")
    private String token = "";

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Override
    public Integer call() {
      Macaroon shown = decoded(token);
      if (json) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("identifier", shown.identifier());
        fields.put("hash", shown.hashPrefix());
        fields.put("caveats", shown.caveats().stream().map(Caveat::text).toList());
        System.out.println(CommandClient.json(fields));
        return 0;
      }
      System.out.printf("identifier  %s%nhash        %s%n", shown.identifier(), shown.hashPrefix());
      shown.caveats().forEach(caveat -> System.out.printf("caveat      %s%n", caveat.text()));
      return 0;
    }
  }

  /** The node's own admin token again. */
  @Command(
      name = "show",
      description = "The admin capability of the node under --data; --save keeps it for commands.")
  static final class Show implements Callable<Integer> {
    @Option(names = "--data", defaultValue = "./data", description = "The node's data folder.")
    private Path data = Path.of("./data");

    @Option(
        names = "--save",
        description = "Write it to your profile, so that commands find it without RON_CAP.")
    private boolean save;

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
      String token = NodeKeys.open(data).adminToken();
      if (!save) {
        System.out.println(printed(token, json));
        return 0;
      }
      Path file = UserProfile.file(System.getenv());
      UserProfile.change(file, Map.of("RON_CAP", token));
      System.out.println(
          json ? CommandClient.json(Map.of("saved", file.toString())) : "saved to " + file);
      return 0;
    }
  }

  /** Ends a token and everything attenuated from it. */
  @Command(name = "revoke", description = "End a token and all that were attenuated from it.")
  static final class Revoke implements Callable<Integer> {
    @Option(names = "--data", defaultValue = "./data", description = "The node's data folder.")
    private Path data = Path.of("./data");

    @Parameters(paramLabel = "TOKEN")
    private String token = "";

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
      TokenId id =
          TokenId.parse(decoded(token).identifier())
              .orElseThrow(() -> new IOException("the token was not minted by a node of Ron"));
      NodeKeys.openToChange(data);
      RevocationFile.append(NodeKeys.revocations(data), id, new SystemTime().wall());
      if (json) {
        System.out.println(CommandClient.json(Map.of("revoked", id.text())));
        return 0;
      }
      System.out.println("revoked " + id.text());
      System.out.println("a running node refuses it within five seconds");
      return 0;
    }
  }

  /** Makes a new key; the old ones are accepted for a while, or no more. */
  @Command(
      name = "rotate",
      description = "Sign with a new key; end the old ones after --grace, or --now.")
  static final class Rotate implements Callable<Integer> {
    @Option(names = "--data", defaultValue = "./data", description = "The node's data folder.")
    private Path data = Path.of("./data");

    @Option(
        names = "--grace",
        defaultValue = "24h",
        description = "How long tokens of the old key are still accepted: 10m, 24h, 7d.")
    private String grace = "24h";

    @Option(names = "--now", description = "Refuse all tokens of all old keys, for a leaked key.")
    private boolean now;

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
      KeyRing old = NodeKeys.openToChange(data).ring();
      Instant wall = new SystemTime().wall().truncatedTo(ChronoUnit.SECONDS);
      KeyRing ring =
          now
              ? KeyRing.generate(new SecureRandom())
              : old.rotate(new SecureRandom(), wall, Durations.ofFlag("--grace", grace));
      KeyRingFile.write(NodeKeys.ring(data), ring);
      if (json) {
        System.out.println(CommandClient.json(fields(ring)));
        return 0;
      }
      System.out.printf("key %s signs from now on%n", ring.active().id());
      if (now) {
        System.out.println(
            "every token minted before is refused by a running node within five seconds,");
        System.out.println("the admin capability and that of a ready file included");
      } else {
        ring.retired()
            .forEach(
                key ->
                    System.out.printf(
                        "tokens of key %s are accepted until %s%n", key.id(), key.until()));
        System.out.println("mint those that shall last longer anew before that");
      }
      System.out.println("other nodes with this key ring need the new file too");
      return 0;
    }

    private static Map<String, Object> fields(KeyRing ring) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("key", String.valueOf(ring.active().id()));
      fields.put(
          "retired",
          ring.retired().stream()
              .map(
                  key ->
                      Map.of("key", String.valueOf(key.id()), "until", String.valueOf(key.until())))
              .toList());
      return fields;
    }
  }

  private static String printed(String token, boolean json) {
    return json ? CommandClient.json(Map.of("capability", token)) : token;
  }

  /** Reads a token; proves nothing about its signature. */
  public static Macaroon decoded(String token) {
    if (token.isBlank()) {
      throw new IllegalArgumentException(
          "the capability is empty: set RON_CAP to it; `ron cap show` prints the operator's");
    }
    return switch (MacaroonCodec.decode(token)) {
      case MacaroonCodec.Decoding.Decoded(Macaroon macaroon) -> macaroon;
      case MacaroonCodec.Decoding.Failed(var fault) ->
          throw new IllegalArgumentException(fault.detail());
    };
  }
}
