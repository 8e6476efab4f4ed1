package dev.ron.node.usage;

import dev.ron.capability.Grant;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.usage.Usage;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
  public record Request(Instant since, Optional<String> tenant) {}

  /** One account; the units are digits, since they may be past 2^53. */
  public record Account(String tenant, String metric, String units) {}

  /**
   * @param from the beginning of the oldest span that counts; spans are counted whole
   * @param sealed how many spans of these are sealed; the last one is open
   */
  public record Reply(String node, String from, String to, int sealed, List<Account> usage) {}

  @Override
  public Request parse(Exchange exchange) throws Refusal {
    String since = exchange.query().first("since");
    Grant grant = exchange.attachment(Grant.class);
    Optional<String> own = grant == null ? Optional.empty() : grant.tenant();
    Optional<String> asked = Optional.ofNullable(exchange.query().first("tenant"));
    if (own.isPresent() && asked.isPresent() && !asked.equals(own)) {
      throw Refusal.of(
          new HttpFault.Forbidden("a capability of tenant %s shows its own".formatted(own.get())));
    }
    return new Request(since(since), own.or(() -> asked));
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
    Usage.Report report =
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
        usage.node(), report.from().toString(), report.to().toString(), report.sealed(), accounts);
  }
}
