package dev.ron.edge.api;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ron.edge.EdgeFault;
import dev.ron.edge.map.GlyphRange;
import dev.ron.edge.map.TrueType;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Exchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code GET /edge/fonts/{fonts}/{range}.pbf}: letters for labels, drawn from Roboto when they are
 * first asked for.
 *
 * <p>A style may ask for any font; one that is not here is answered with the plain one, since
 * another letter is better than none.
 *
 * <p>Threading: thread-safe.
 */
final class Glyphs implements Verb<Glyphs.Request, byte[]> {
  static final String MEDIA_TYPE = "application/x-protobuf";
  private static final String FOLDER = "/com/formdev/flatlaf/fonts/roboto/Roboto-";
  private static final List<String> CUTS = List.of("Italic", "Medium", "Bold");
  private static final Pattern RANGE = Pattern.compile("([0-9]{1,5})-([0-9]{1,5})\\.pbf");
  private static final int CHARACTERS_MAX = 65_536;

  /** Latin in every cut is about half a MiB. */
  private static final int DRAWN_BYTES_MAX = 8 << 20;

  private final Cache<String, TrueType> fonts =
      Caffeine.newBuilder().maximumSize(CUTS.size() + 1).executor(Runnable::run).build();
  private final Cache<String, byte[]> drawn =
      Caffeine.newBuilder()
          .maximumWeight(DRAWN_BYTES_MAX)
          .<String, byte[]>weigher((_, bytes) -> bytes.length + 64)
          .executor(Runnable::run)
          .build();

  record Request(String cut, int first) {}

  @Override
  public Request parse(Exchange exchange) throws Refusal {
    String names = exchange.param("fonts");
    Matcher range = RANGE.matcher(exchange.param("range"));
    if (!range.matches() || !isRange(range)) {
      throw Refusal.of(new EdgeFault.NotFound("letters come by 256: 0-255.pbf, ..."));
    }
    String cut = CUTS.stream().filter(names::contains).findFirst().orElse("Regular");
    return new Request(cut, Integer.parseInt(range.group(1)));
  }

  @Override
  public byte[] handle(Request request) {
    String cut = request.cut();
    return drawn.get(
        cut + " " + request.first(),
        _ -> GlyphRange.of(fonts.get(cut, Glyphs::font), "Roboto " + cut, request.first()));
  }

  @Override
  public Answer write(byte[] bytes) {
    return new Answer(
        200,
        Headers.of("Content-Type", MEDIA_TYPE, "Cache-Control", "public, max-age=86400"),
        new Body.Bytes(bytes));
  }

  private static boolean isRange(Matcher range) {
    int first = Integer.parseInt(range.group(1));
    return first % GlyphRange.CHARACTERS == 0
        && first < CHARACTERS_MAX
        && Integer.parseInt(range.group(2)) == first + GlyphRange.CHARACTERS - 1;
  }

  private static TrueType font(String cut) {
    try (InputStream in = Glyphs.class.getResourceAsStream(FOLDER + cut + ".ttf")) {
      return new TrueType(Objects.requireNonNull(in, cut).readAllBytes());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
