package dev.ron.node.cap;

import dev.ron.capability.KeyPair;
import dev.ron.capability.MacaroonCodec;
import dev.ron.capability.RevocationFile;
import dev.ron.capability.TokenId;
import dev.ron.capability.registered.RegisteredKeys.RegisteredKey;
import dev.ron.kernel.time.SystemTime;
import dev.ron.node.NodeKeys;
import dev.ron.node.cli.CommandClient;
import java.io.IOException;
import java.nio.file.Path;
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
 * Short access key ids, for programs that cannot hold the long one of a capability.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "key",
    description =
        "Register access key ids of 20 characters; no secret is stored, it is computed again.",
    subcommands = {KeyCommand.Create.class, KeyCommand.Listing.class, KeyCommand.Revoke.class})
public final class KeyCommand {
  /** Registers one. */
  @Command(name = "create", description = "A new key pair with an id of 20 characters.")
  static final class Create implements Callable<Integer> {
    @Option(names = "--data", defaultValue = "./data", description = "The node's data folder.")
    private Path data = Path.of("./data");

    @Option(names = "--json", description = "As a credential_process of the AWS SDKs prints it.")
    private boolean json;

    @Mixin private final CaveatOptions caveats = new CaveatOptions();

    @Override
    public Integer call() throws IOException {
      Instant now = new SystemTime().wall().truncatedTo(ChronoUnit.SECONDS);
      NodeKeys keys = NodeKeys.openToChange(data);
      KeyPair pair = KeyPair.of(CapCommand.decoded(keys.mint(caveats.caveats(now))));
      String id = keys.register(pair.accessKeyId(), now);
      if (json) {
        System.out.println(KeyPairCommand.json(id, pair));
        return 0;
      }
      System.out.printf("access key id      %s%nsecret access key  %s%n", id, pair.secret());
      System.err.println("a running node knows it within five seconds; the secret is not stored");
      return 0;
    }
  }

  /** Shows all. */
  @Command(name = "list", description = "The ids that are registered, and their caveats.")
  static final class Listing implements Callable<Integer> {
    @Option(names = "--data", defaultValue = "./data", description = "The node's data folder.")
    private Path data = Path.of("./data");

    @Option(names = "--json", description = "One JSON object a line.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
      for (RegisteredKey key : NodeKeys.open(data).registered().all()) {
        List<String> caveats =
            KeyPair.terms(key.pairId()).map(MacaroonCodec.Terms::caveats).orElse(List.of());
        if (json) {
          Map<String, Object> fields = new LinkedHashMap<>();
          fields.put("id", key.id());
          fields.put("created", key.created().toString());
          fields.put("caveats", caveats);
          System.out.println(CommandClient.json(fields));
        } else {
          System.out.printf(
              "%s  %s  %s%n",
              key.id(),
              key.created(),
              caveats.isEmpty() ? "no caveat" : String.join(", ", caveats));
        }
      }
      return 0;
    }
  }

  /** Ends one. */
  @Command(name = "revoke", description = "End a key pair, by its id of 20 characters.")
  static final class Revoke implements Callable<Integer> {
    @Option(names = "--data", defaultValue = "./data", description = "The node's data folder.")
    private Path data = Path.of("./data");

    @Parameters(paramLabel = "ID")
    private String id = "";

    @Override
    public Integer call() throws IOException {
      NodeKeys keys = NodeKeys.openToChange(data);
      RegisteredKey key =
          keys.registered()
              .find(id)
              .orElseThrow(() -> new IllegalArgumentException(id + " is not registered"));
      TokenId token =
          KeyPair.terms(key.pairId())
              .flatMap(terms -> TokenId.parse(terms.identifier()))
              .orElseThrow(() -> new IOException("the key pair of " + id + " cannot be read"));
      // First: what was attenuated from the pair holds the long id, and ends too.
      RevocationFile.append(NodeKeys.revocations(data), token, new SystemTime().wall());
      keys.unregister(id);
      System.out.println("revoked " + id);
      System.out.println("a running node refuses it within five seconds");
      return 0;
    }
  }
}
