package dev.ron.edge.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Exchange;

/**
 * {@code GET /edge/map/{pack}}: a page that draws the pack.
 *
 * <p>The page's policy lets it load from the edge and from nowhere else, so that what works with a
 * network works the same without. It says nothing of the pack but its name; what it fetches is
 * checked.
 *
 * <p>Threading: immutable.
 */
record MapPage(PackContext context, PageFiles files) implements Verb<String, String> {
  /** Pictures may be data: the script's style sheet and decoded raster tiles are. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; connect-src"
          + " 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  @Override
  public String parse(Exchange exchange) throws Refusal {
    return context.pack(exchange.param("pack")).name();
  }

  @Override
  public String handle(String pack) {
    return files.text("map.html").replace("@pack@", pack);
  }

  @Override
  public Answer write(String html) {
    return new Answer(
        200,
        Headers.of(
            "Content-Type",
            "text/html; charset=utf-8",
            "Content-Security-Policy",
            POLICY,
            PageFiles.MARK,
            "map",
            "Cache-Control",
            "no-cache"),
        new Body.Bytes(html.getBytes(UTF_8)));
  }
}
