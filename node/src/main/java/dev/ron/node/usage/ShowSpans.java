package dev.ron.node.usage;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.usage.CheckedSpan;
import dev.ron.usage.Seal;
import dev.ron.usage.UsageFolder;
import dev.ron.usage.UsageKey;
import dev.ron.usage.UsageSpan;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /usage/spans?tenant=N&metric=M}: what one account came to, span by span, with the seal
 * of each: a line of an invoice, down to where it comes from.
 *
 * <p>Threading: immutable.
 */
public record ShowSpans(NodeUsage usage) implements Verb<ShowSpans.Request, ShowSpans.Reply> {
  /**
   * @param account whose spans are shown
   */
  public record Request(UsageKey account) {}

  /**
   * One span.
   *
   * @param seal its address; none for a span that is not sealed yet
   * @param damaged why its units are not known, if they are not
   */
  public record Line(
      long number,
      String from,
      String to,
      String units,
      @Nullable String seal,
      @Nullable String accounting,
      @Nullable String damaged) {}

  /** The spans that are kept, oldest first; the last one is open. */
  public record Reply(String node, String tenant, String metric, List<Line> spans) {}

  @Override
  public Request parse(Exchange exchange) throws Refusal {
    Optional<String> tenant = ShowUsage.tenant(exchange);
    String metric = exchange.query().first("metric");
    if (tenant.isEmpty() || metric == null) {
      throw Refusal.of(new HttpFault.Malformed("tenant and metric: name both"));
    }
    return new Request(new UsageKey(tenant.get(), metric));
  }

  @Override
  public Reply handle(Request request) throws IOException, InterruptedException {
    UsageSpan open =
        usage
            .usage()
            .open()
            .orElseThrow(
                () -> Refusal.of(new KernelFault.Timeout("usage", Duration.ofSeconds(30))));
    UsageFolder files = usage.usage().files();
    var lines = new ArrayList<Line>();
    for (long number : files.spans()) {
      if (number < open.number()) {
        line(files.checked(number), request.account()).ifPresent(lines::add);
      }
    }
    lines.add(
        new Line(
            open.number(),
            open.from().toString(),
            open.to().toString(),
            units(open, request.account()),
            null,
            null,
            null));
    return new Reply(usage.node(), request.account().tenant(), request.account().metric(), lines);
  }

  /** Empty for a span in which the account used nothing. */
  private static Optional<Line> line(CheckedSpan checked, UsageKey account) {
    String units = checked.span().map(span -> units(span, account)).orElse("0");
    String damaged = checked.damage().isEmpty() ? null : checked.damage().getFirst().why();
    if (units.equals("0") && damaged == null) {
      return Optional.empty();
    }
    Optional<Seal> seal = checked.seal();
    return Optional.of(
        new Line(
            checked.number(),
            checked.from().map(Object::toString).orElse(""),
            checked.to().map(Object::toString).orElse(""),
            units,
            seal.map(each -> each.address().toString()).orElse(null),
            seal.map(each -> each.accounting().toString()).orElse(null),
            damaged));
  }

  private static String units(UsageSpan span, UsageKey account) {
    return Long.toString(span.units().getOrDefault(account, 0L));
  }
}
