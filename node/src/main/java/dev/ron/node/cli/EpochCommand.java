package dev.ron.node.cli;

import static dev.ron.client.ServiceClient.escaped;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.capability.signature.SignatureKind;
import dev.ron.http.Refusal;
import dev.ron.http.json.JsonTree;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.time.SystemTime;
import dev.ron.node.cli.RewarderOptions.RewarderAnswer;
import dev.ron.node.profile.TerminalGuard;
import dev.ron.node.profile.TextTable;
import dev.ron.node.usage.AccountingOptions;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.sign.Attestor;
import dev.ron.rewarder.sign.PolicyForm;
import dev.ron.usage.CanonicalJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Epochs of a running rewarder.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "epoch",
    description = "Compute, show, verify, explain and simulate epochs; sign policies.",
    subcommands = {
      EpochCommand.Compute.class,
      EpochCommand.Status.class,
      EpochCommand.Verify.class,
      EpochCommand.Explain.class,
      EpochCommand.Simulate.class,
      EpochCommand.Sign.class
    })
public final class EpochCommand {
  private static final String ROOT = "/rewarder/epochs/";

  /** Starts a run and follows it to its end. */
  @Command(name = "compute", description = "Compute an epoch from its sealed inputs.")
  static final class Compute implements Callable<Integer> {
    private static final Duration LOOK_EVERY = Duration.ofMillis(250);

    @Mixin private final RewarderOptions rewarder = new RewarderOptions();

    @Parameters(paramLabel = "EPOCH")
    private String epoch = "";

    @ArgGroup(multiplicity = "1")
    private AccountingOptions accounting = new AccountingOptions();

    @Option(names = "--ledger", required = true, description = "The pool's address.")
    private String ledger = "";

    @Option(names = "--policy", required = true, description = "Its address.")
    private String policy = "";

    @Option(names = "--dry-run", description = "Keep the result and pay nothing.")
    private boolean dryRun;

    @Override
    public Integer call() throws IOException, InterruptedException {
      var form =
          Map.of(
              "accounting",
              accounting.address(epoch, rewarder.capability()),
              "ledger",
              ledger,
              "policy",
              policy,
              "dry_run",
              dryRun);
      RewarderAnswer answer = rewarder.ask("POST", ROOT + escaped(epoch) + "/compute", form);
      var time = new SystemTime();
      boolean shown = answer.status() == 202 && ProgressBar.watched() && !rewarder.json();
      while (answer.status() == 202) {
        if (shown) {
          TerminalGuard.raw(System.err).print("\r" + Words.progress(answer.body()));
        }
        time.sleepUntil(time.now().plus(LOOK_EVERY));
        answer = rewarder.get(ROOT + escaped(epoch));
      }
      if (shown) {
        System.err.println();
      }
      return Words.manifest(rewarder, answer);
    }
  }

  /** The manifest, and how far it is paid. */
  @Command(name = "status", description = "What an epoch came to, and how far it is paid.")
  static final class Status implements Callable<Integer> {
    @Mixin private final RewarderOptions rewarder = new RewarderOptions();

    @Parameters(paramLabel = "EPOCH")
    private String epoch = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      RewarderAnswer answer = rewarder.get(ROOT + escaped(epoch));
      int exit = Words.manifest(rewarder, answer);
      if (exit == 0 && !rewarder.json() && answer.status() == 200) {
        RewarderAnswer paid = rewarder.get(ROOT + escaped(epoch) + "/settlement");
        System.out.printf("settlement   %s%n", Words.field(paid.body(), "state"));
      }
      return exit;
    }
  }

  /** Computes the run again on the server and compares. */
  @Command(
      name = "verify",
      description = "Compute an epoch again and compare. Exits 1 if it differs.")
  static final class Verify implements Callable<Integer> {
    @Mixin private final RewarderOptions rewarder = new RewarderOptions();

    @Parameters(paramLabel = "EPOCH")
    private String epoch = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      RewarderAnswer answer = rewarder.get(ROOT + escaped(epoch) + "/verify");
      if (rewarder.json() || answer.status() != 200) {
        return rewarder.told(answer) == 0 && answer.body().contains("\"verified\":true") ? 0 : 1;
      }
      boolean verified = Words.field(answer.body(), "verified").equals("true");
      System.out.printf(
          "%s: root %s%n",
          verified ? "verified" : "DIFFERS " + Words.field(answer.body(), "differ"),
          Words.field(answer.body(), "root"));
      return verified ? 0 : 1;
    }
  }

  /** One actor's line. */
  @Command(name = "explain", description = "One actor's line: why it is so, and its proof.")
  static final class Explain implements Callable<Integer> {
    @Mixin private final RewarderOptions rewarder = new RewarderOptions();

    @Parameters(index = "0", paramLabel = "EPOCH")
    private String epoch = "";

    @Parameters(index = "1", paramLabel = "ACTOR")
    private String actor = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      RewarderAnswer answer =
          rewarder.get(ROOT + escaped(epoch) + "/allocations/" + escaped(actor));
      if (rewarder.json() || answer.status() != 200) {
        return rewarder.told(answer);
      }
      Map<String, @Nullable Object> fields = Words.object(answer.body());
      System.out.printf("actor        %s%n", TextTable.plain(String.valueOf(fields.get("actor"))));
      if (fields.get("explanation") instanceof List<?> why) {
        why.forEach(
            sentence ->
                System.out.printf("             %s%n", TextTable.plain(String.valueOf(sentence))));
      }
      System.out.printf("root         %s%n", fields.getOrDefault("root", "-"));
      if (fields.get("proof") instanceof List<?> proof) {
        System.out.printf("proof        %d steps; --json shows them%n", proof.size());
      }
      return 0;
    }
  }

  /** Past epochs under another policy. */
  @Command(
      name = "simulate",
      description = "Past epochs under another policy: who gains, who loses.")
  static final class Simulate implements Callable<Integer> {
    @Mixin private final RewarderOptions rewarder = new RewarderOptions();

    @Option(names = "--policy", required = true, description = "The other policy's address.")
    private String policy = "";

    @Parameters(paramLabel = "EPOCH", arity = "1..*")
    private List<String> epochs = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
      var form = Map.of("epochs", epochs, "policy", policy);
      RewarderAnswer answer = rewarder.ask("POST", "/rewarder/simulate", form);
      if (rewarder.json() || answer.status() != 200) {
        return rewarder.told(answer);
      }
      if (Words.object(answer.body()).get("epochs") instanceof List<?> all) {
        System.out.printf("%-20s %10s %10s %10s  %s%n", "epoch", "gain", "lose", "same", "moved");
        for (Object each : all) {
          if (each instanceof Map<?, ?> one) {
            System.out.printf(
                "%-20s %10s %10s %10s  %s%n",
                one.get("epoch"),
                one.get("gainers"),
                one.get("losers"),
                one.get("unchanged"),
                one.get("gained_minor"));
          }
        }
      }
      return 0;
    }
  }

  /** Signs a policy with the rewarder's own key. */
  @Command(name = "sign", description = "Sign a policy with the rewarder's own keys, offline.")
  static final class Sign implements Callable<Integer> {
    @Parameters(paramLabel = "POLICY", description = "A policy in JSON.")
    private Path policy = Path.of("policy.json");

    @Option(names = "--data", defaultValue = "./data", description = "The node's data folder.")
    private Path data = Path.of("./data");

    @Option(names = "--post-quantum", description = "With ML-DSA beside Ed25519.")
    private boolean postQuantum;

    @Override
    public Integer call() throws IOException {
      Path keys = data.resolve("rewarder").resolve("keys");
      if (!Files.exists(keys)) {
        throw new IOException("no keys under " + keys + "; start the node once with `ron up`");
      }
      Map<String, @Nullable Object> document = Words.object(Files.readString(policy, UTF_8));
      List<SignatureKind> kinds = new ArrayList<>(List.of(SignatureKind.ED25519));
      if (postQuantum) {
        kinds.add(SignatureKind.ML_DSA);
      }
      Attestor attestor = Attestor.open(new RealDisk(), keys, kinds);
      document.put("signatures", attestor.sign(PolicyForm.signedBytes(document).bytes()));
      System.out.print(CanonicalJson.text(document));
      return 0;
    }
  }

  /** Answers of the rewarder in words. */
  private static final class Words {
    private Words() {}

    static Map<String, @Nullable Object> object(String json) throws IOException {
      try {
        return JsonTree.object(json.getBytes(UTF_8));
      } catch (Refusal malformed) {
        throw new IOException("not what was expected: " + malformed.fault().detail(), malformed);
      }
    }

    static String field(String json, String name) throws IOException {
      return String.valueOf(object(json).get(name));
    }

    static String progress(String json) throws IOException {
      return "%-12s %,d lines"
          .formatted(field(json, "step"), Long.parseLong(field(json, "lines_read")));
    }

    static int manifest(RewarderOptions rewarder, RewarderAnswer answer) throws IOException {
      if (rewarder.json() || answer.status() != 200) {
        return rewarder.told(answer);
      }
      Manifest manifest = Manifest.read(object(answer.body()));
      System.out.printf("epoch        %s%n", manifest.epoch());
      System.out.printf("status       %s%n", manifest.text("status"));
      System.out.printf("run          %s%n", manifest.runKey());
      if (manifest.fields().get("reason") instanceof Map<?, ?> reason) {
        System.out.printf("reason       %s%n", reason.get("detail"));
        return 1;
      }
      System.out.printf(
          "pool         %s %s%n", manifest.text("pool_minor"), manifest.text("asset"));
      System.out.printf(
          "paid         %s to %d lines%n", manifest.text("paid_minor"), manifest.number("lines"));
      System.out.printf(
          "held         %s of %d actors%n",
          manifest.text("held_minor"), manifest.number("held_actors"));
      System.out.printf("residual     %s%n", manifest.text("residual_minor"));
      if (manifest.fields().get("seals") instanceof List<?> seals) {
        System.out.printf("seals        %d, named in the manifest%n", seals.size());
      }
      System.out.printf("root         %s%n", manifest.text("root"));
      return 0;
    }
  }
}
