package dev.ron.node.up;

import dev.ron.kernel.registry.RegistryJson;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Reports before a start what would go wrong in it, and what to do about it.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "doctor", description = "Check machine, ports, disk and limits before a start.")
public final class DoctorCommand implements Callable<Integer> {
  @Mixin private final ConfigOptions options = new ConfigOptions();

  @Option(names = "--json", description = "As JSON.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    List<DoctorResult> findings = DoctorChecks.of(options.load());
    System.out.print(json ? json(findings) : table(findings));
    return findings.stream().anyMatch(one -> one.grade() == DoctorResult.Grade.BAD) ? 1 : 0;
  }

  private static String table(List<DoctorResult> findings) {
    return findings.stream()
        .map(
            one ->
                "%-5s %-12s %s%n%s"
                    .formatted(
                        one.grade().name().toLowerCase(java.util.Locale.ROOT),
                        one.what(),
                        one.seen(),
                        one.advice().isEmpty() ? "" : "%18s %s%n".formatted("do:", one.advice())))
        .collect(Collectors.joining());
  }

  private static String json(List<DoctorResult> findings) {
    return findings.stream()
        .map(
            one ->
                "{\"what\":%s,\"grade\":%s,\"seen\":%s,\"advice\":%s}"
                    .formatted(
                        RegistryJson.quoted(one.what()),
                        RegistryJson.quoted(one.grade().name().toLowerCase(java.util.Locale.ROOT)),
                        RegistryJson.quoted(one.seen()),
                        RegistryJson.quoted(one.advice())))
        .collect(Collectors.joining(",", "{\"findings\":[", "]}\n"));
  }
}
