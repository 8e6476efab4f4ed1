package dev.ron.node.usage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.json.Schema;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.usage.CanonicalJson;
import dev.ron.usage.Seal;
import dev.ron.usage.UsageFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code GET /usage/seals}: every seal of this node, oldest first, each spelled as it was signed;
 * in the place of one that is none any more {@code {"number","file","damaged"}}, where damaged says
 * why. With whether something was used that no seal has yet.
 *
 * <p>Threading: immutable.
 */
public record ShowSeals(NodeUsage usage) implements Verb<Verb.None, ShowSeals.Reply> {
  /** A seal is what its signatures cover, which a later version may have more of. */
  private record SealPage(List<Map<String, Object>> seals, boolean unsealed) {}

  public static final Schema SCHEMA = Schema.of(SealPage.class);

  /**
   * @param seals each in JSON
   * @param unsealed whether something was used that no seal has yet
   */
  public record Reply(List<String> seals, boolean unsealed) {}

  @Override
  public None parse(Exchange exchange) {
    return new None();
  }

  @Override
  public Reply handle(None request) throws InterruptedException {
    UsageFolder files = usage.usage().files();
    boolean unsealed = usage.usage().unsealed();
    var seals = new ArrayList<String>();
    for (long number : files.seals()) {
      seals.add(text(files, number));
    }
    return new Reply(seals, unsealed);
  }

  /** Bytes that are no seal would spoil the JSON around them. */
  private static String text(UsageFolder files, long number) {
    try {
      byte[] bytes = files.seal(number);
      Seal seal = Seal.parse(bytes);
      if (seal.number() != number) {
        throw new IOException("it holds seal " + seal.number());
      }
      return new String(bytes, UTF_8);
    } catch (IOException wrong) {
      return CanonicalJson.text(
          Map.of(
              "number",
              number,
              "file",
              UsageFolder.sealName(number),
              "damaged",
              String.valueOf(wrong.getMessage())));
    }
  }

  @Override
  public Answer write(Reply reply) {
    return Answer.json(
        200,
        "{\"seals\":[%s],\"unsealed\":%s}"
            .formatted(String.join(",", reply.seals()), reply.unsealed()));
  }
}
