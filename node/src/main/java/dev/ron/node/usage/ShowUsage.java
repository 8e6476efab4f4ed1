package dev.ron.node.usage;

import dev.ron.capability.Grant;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.usage.UsageReport;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /usage?since=T&tenant=N}: what tenants used; with a tenant's capability its own alone.
 *
 * <p>Threading: immutable.
 */
public record ShowUsage(NodeUsage usage) implements Verb<ShowUsage.Request, ShowUsage.Reply> {
  /**
   * @param tenant the only one that is shown; empty for all
   */
  public record Request(Instant since, Optional<String> tenant, boolean operator) {}

  /** One account; the units are digits, since they may be past 2^53. */
  public record Account(String tenant, String metric, String units) {}

  /**
   * A file that is damaged; its units are not in the sums.
   *
   * @param lost the sums that its seal has of it, over all tenants; for operators
   */
  public record Damage(long span, String file, String why, Map<String, String> lost) {}

  /**
   * @param from the beginning of the oldest span that counts; spans are counted whole
   * @param sealed how many spans of these are sealed; the last one is open
   */
  public record Reply(
      String node, String from, String to, int sealed, List<Account> usage, List<Damage> damaged) {}

  @Override
  public Request parse(Exchange exchange) throws Refusal {
    return new Request(
        since(exchange.query().first("since")), tenant(exchange), own(exchange).isEmpty());
  }

  private static Optional<String> own(Exchange exchange) {
    Grant grant = exchange.attachment(Grant.class);
    return grant == null ? Optional.empty() : grant.tenant();
  }

  /** The tenant that is asked for; a tenant's own capability asks for its own. */
  static Optional<String> tenant(Exchange exchange) throws Refusal {
    Optional<String> own = own(exchange);
    Optional<String> asked = Optional.ofNullable(exchange.query().first("tenant"));
    if (own.isPresent() && asked.isPresent() && !asked.equals(own)) {
      throw Refusal.of(
          new HttpFault.Forbidden("a capability of tenant %s shows its own".formatted(own.get())));
    }
    return own.or(() -> asked);
  }

  private static Instant since(@Nullable String text) throws Refusal {
    try {
      return text == null ? Instant.MIN : Instant.parse(text);
    } catch (DateTimeException wrong) {
      throw Refusal.of(new HttpFault.Malformed("since: an instant such as 2026-11-18T00:00:00Z"));
    }
  }

  @Override
  public Reply handle(Request request) throws IOException, InterruptedException {
    UsageReport report =
        usage
            .usage()
            .report(request.since())
            .orElseThrow(
                () -> Refusal.of(new KernelFault.Timeout("usage", Duration.ofSeconds(30))));
    var accounts = new ArrayList<Account>();
    report
        .units()
        .forEach(
            (key, units) -> {
              if (request.tenant().isEmpty() || request.tenant().get().equals(key.tenant())) {
                accounts.add(new Account(key.tenant(), key.metric(), units.toString()));
              }
            });
    return new Reply(
        usage.node(),
        report.from().toString(),
        report.to().toString(),
        report.sealed(),
        accounts,
        report.damage().stream()
            .map(
                each ->
                    new Damage(
                        each.span(),
                        each.file(),
                        each.why(),
                        request.operator() ? each.lost() : Map.of()))
            .toList());
  }
}
