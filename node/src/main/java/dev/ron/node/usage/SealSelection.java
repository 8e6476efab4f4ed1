package dev.ron.node.usage;

import dev.ron.blake3.Address;
import dev.ron.blake3.CheckResult;
import dev.ron.client.ServiceClient;
import dev.ron.client.ServiceRefusal;
import dev.ron.client.StorageClient;
import dev.ron.kernel.Scope;
import dev.ron.usage.Seal;
import dev.ron.usage.SealChain;
import dev.ron.usage.SealList;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Gathers what nodes sealed in a span of time, checks it, and stores the list of it, to be the
 * accounting of an epoch.
 *
 * <p>Threading: owned by the thread that runs the command.
 *
 * @param wall now
 * @param withLost whether spans that were sealed as lost are taken for spans without use
 */
public record SealSelection(
    Scope scope, Instant wall, Instant from, Instant to, boolean withLost, String capability) {
  public SealSelection {
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException("the span from %s to %s is none".formatted(from, to));
    }
    if (to.isAfter(wall)) {
      throw new IllegalArgumentException(
          "the span ends at %s, which is not over: name an end with --to".formatted(to));
    }
  }

  /** The beginning and the end of a month or a day that has the name of an epoch, in UTC. */
  public static Optional<List<Instant>> spanOf(String epoch) {
    if (epoch.matches("[0-9]{4}-(0[1-9]|1[0-2])")) {
      YearMonth month = YearMonth.parse(epoch);
      return Optional.of(List.of(start(month.atDay(1)), start(month.plusMonths(1).atDay(1))));
    }
    if (epoch.matches("[0-9]{4}-(0[1-9]|1[0-2])-[0-9]{2}")) {
      LocalDate day = LocalDate.parse(epoch);
      return Optional.of(List.of(start(day), start(day.plusDays(1))));
    }
    return Optional.empty();
  }

  private static Instant start(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  /**
   * @param nodes their admin doors
   * @param storage where the rewarder reads its inputs
   * @return where the list is
   */
  public Address store(List<String> nodes, String storage)
      throws IOException, InterruptedException {
    try (var client = new StorageClient(scope, URI.create(storage), capability)) {
      var seals = new ArrayList<Seal>();
      for (String node : nodes) {
        seals.addAll(ofNode(node, client));
      }
      seals.sort(SealList.ORDER);
      if (seals.isEmpty()) {
        throw new IOException("no seal ends after %s and until %s".formatted(from, to));
      }
      SealList list = list(seals);
      Optional<String> fault = list.fault(seals);
      if (fault.isPresent()) {
        throw new IOException(fault.get());
      }
      for (Seal seal : seals) {
        client.put(seal.bytes());
      }
      return address(client.put(list.bytes()).address());
    }
  }

  private SealList list(List<Seal> seals) {
    return new SealList(from, to, withLost, seals.stream().map(Seal::address).toList());
  }

  private static Address address(String text) throws IOException {
    if (Address.parse(text) instanceof CheckResult.Good<Address>(Address address)) {
      return address;
    }
    throw new IOException("the storage answered with " + text + ", which is no address");
  }

  private List<Seal> ofNode(String node, StorageClient storage)
      throws IOException, InterruptedException {
    ListedSeals listed;
    try (ServiceClient admin = ServiceClient.to(scope, "admin", URI.create(node), capability)) {
      listed = ListedSeals.of(admin);
    } catch (ServiceRefusal refused) {
      throw new IOException("%s: %s".formatted(node, refused.getMessage()), refused);
    }
    SealList span = list(List.of());
    var chosen = new ArrayList<ListedSeals.Entry>();
    Instant newest = Instant.MIN;
    for (ListedSeals.Entry each : listed.entries()) {
      if (each.damaged().isPresent()) {
        // Until when it counted cannot be told, unless a later one ends before the span begins.
        chosen.add(each);
        continue;
      }
      Seal seal = Seal.parse(each.bytes());
      newest = seal.to();
      if (!seal.to().isAfter(from)) {
        chosen.clear();
      } else if (span.has(seal)) {
        chosen.add(each);
      }
    }
    if (newest.isBefore(to) && listed.unsealed()) {
      throw new IOException(
          "%s: what was used until %s is not sealed yet: wait for its next seal"
              .formatted(node, to));
    }
    return checked(node, chosen, storage);
  }

  /** The seals, if their chain and the accountings behind them are right. */
  private List<Seal> checked(String node, List<ListedSeals.Entry> chosen, StorageClient storage)
      throws IOException, InterruptedException {
    var chain = new SealChain(ListedSeals.accounting(storage));
    for (ListedSeals.Entry each : chosen) {
      each.into(chain);
    }
    List<String> findings = findings(chain);
    if (!findings.isEmpty()) {
      throw new IOException("%s: %s".formatted(node, String.join("; ", findings)));
    }
    var seals = new ArrayList<Seal>();
    for (ListedSeals.Entry each : chosen) {
      seals.add(Seal.parse(each.bytes()));
    }
    return seals;
  }

  private List<String> findings(SealChain chain) {
    return withLost
        ? chain.findings().stream().filter(each -> !each.contains(SealChain.LOST)).toList()
        : chain.findings();
  }
}
