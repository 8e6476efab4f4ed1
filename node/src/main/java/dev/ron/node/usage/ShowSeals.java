package dev.ron.node.usage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.usage.UsageFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code GET /usage/seals}: every seal of this node, oldest first, each spelled as it was signed.
 *
 * <p>Threading: immutable.
 */
public record ShowSeals(NodeUsage usage) implements Verb<Verb.None, List<String>> {
  @Override
  public None parse(Exchange exchange) {
    return new None();
  }

  @Override
  public List<String> handle(None request) throws IOException {
    UsageFolder files = usage.usage().files();
    var seals = new ArrayList<String>();
    for (long number : files.seals()) {
      seals.add(new String(files.seal(number), UTF_8));
    }
    return seals;
  }

  @Override
  public Answer write(List<String> seals) {
    return Answer.json(200, "{\"seals\":[" + String.join(",", seals) + "]}");
  }
}
