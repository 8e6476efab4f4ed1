package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A verb behind its route: the three steps, the document, and what the builder refuses. */
@Timeout(60)
class VerbTest {
  private static final Form FORM =
      Form.of(HttpFault.Malformed::new, Field.text("word"), Field.number("times", 1, 3).optional());

  record Request(String name, String word, long times) {}

  record Reply(String said, @Nullable String hint) {}

  /** Repeats a word; knows nothing of HTTP in the middle. */
  private static final class Repeat implements Verb<Request, Reply> {
    @Override
    public Request parse(Exchange exchange) throws IOException {
      Fields form = FORM.read(exchange.body().collect(100));
      return new Request(exchange.param("name"), form.text("word"), form.number("times", 1));
    }

    @Override
    public Reply handle(Request request) throws Refusal {
      if (request.name().equals("nobody")) {
        throw Refusal.of(new HttpFault.NotFound("there is no such name"));
      }
      return new Reply(request.word().repeat((int) request.times()), null);
    }
  }

  private static Route repeat() {
    return Route.post("/say/{name}")
        .op("say")
        .summary("Says it.")
        .takes(FORM)
        .query("quietly")
        .answers(200, Reply.class)
        .answers(400, 404)
        .does(new Repeat());
  }

  @Test
  void itParsesHandlesAndWrites() throws Exception {
    try (var server = new TestServer(Routes.of().add(repeat()))) {
      assertThat(post(server, "ann", "{\"word\":\"ho\",\"times\":3}"))
          .startsWith("HTTP/1.1 200 ")
          .contains("Content-Type: application/json")
          .endsWith("{\"said\":\"hohoho\"}");
      assertThat(post(server, "ann", "{\"word\":1}"))
          .startsWith("HTTP/1.1 400 ")
          .contains("word: must be text");
      assertThat(post(server, "nobody", "{\"word\":\"ho\"}"))
          .startsWith("HTTP/1.1 404 ")
          .contains("\"code\":\"not-found\"");
    }
  }

  @Test
  void theDocumentHasTheSchemasOfItsBodies() throws Exception {
    try (var server = new TestServer(Routes.of().add(repeat()))) {
      assertThat(server.ask("GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n"))
          .contains(
              "\"/say/{name}\":{\"post\":{\"operationId\":\"say\",\"summary\":\"Says it.\"",
              "{\"name\":\"quietly\",\"in\":\"query\",\"required\":false",
              "\"requestBody\":{\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\","
                  + "\"properties\":{\"word\":{\"type\":\"string\"}",
              "\"200\":{\"description\":\"OK\",\"content\":{\"application/json\":{\"schema\":"
                  + "{\"type\":\"object\",\"properties\":{\"said\":{\"type\":\"string\"},"
                  + "\"hint\":{\"type\":\"string\"}},\"required\":[\"said\"]}}}}",
              "\"404\":{\"description\":\"Not Found\",\"content\":{\"application/problem+json\":"
                  + "{\"schema\":{\"$ref\":\"#/components/schemas/Problem\"}}}}",
              "\"components\":{\"schemas\":{\"Problem\":{");
    }
  }

  @Test
  void whatIsSaidTwiceIsAnError() {
    assertThatThrownBy(() -> repeat().summary("Says it again."))
        .hasMessage("route POST /say/{name} has a summary already");
    assertThatThrownBy(() -> repeat().answers(404)).hasMessageContaining("an answer 404 already");
    assertThatThrownBy(() -> repeat().answers(200, Reply.class))
        .hasMessageContaining("an answer 200 already");
    assertThatThrownBy(() -> repeat().takes(FORM)).hasMessageContaining("a body already");
    assertThatThrownBy(() -> repeat().query("x")).hasMessageContaining("query parameters already");
    assertThatThrownBy(() -> repeat().op("x")).hasMessageContaining("an operation already");
    assertThatThrownBy(() -> repeat().does(new Repeat())).hasMessageContaining("a handler already");
    Inline inline = exchange -> exchange.answer(Answer.empty(204));
    Route old = Route.of("GET", "/a", "a", inline).documented("One.", List.of(200));
    assertThatThrownBy(() -> old.documented("Two.", List.of(201)))
        .hasMessage("route GET /a has a summary already");
  }

  @Test
  void aRouteThatDoesNothingIsAnError() {
    assertThatThrownBy(() -> Routes.of().add(Route.get("/a").op("a")))
        .hasMessage("route GET /a lacks its op or what it does");
    assertThatThrownBy(() -> Routes.of().add(Route.get("/a").does(new Repeat())))
        .hasMessageContaining("lacks its op");
  }

  @Test
  void anInlineHandlerStaysInline() throws Exception {
    Inline where =
        exchange -> exchange.answer(Answer.text(200, "" + exchange.loop().inEventLoop()));
    Blocking elsewhere = exchange -> Answer.text(200, "" + exchange.loop().inEventLoop());
    var routes =
        Routes.of()
            .add(Route.get("/inline").op("inline").does(where))
            .add(Route.get("/blocking").op("blocking").does(elsewhere));
    try (var server = new TestServer(routes)) {
      assertThat(server.ask("GET /inline HTTP/1.1\r\nHost: a\r\n\r\n")).endsWith("true");
      assertThat(server.ask("GET /blocking HTTP/1.1\r\nHost: a\r\n\r\n")).endsWith("false");
    }
  }

  private static String post(TestServer server, String name, String body) throws Exception {
    return server.ask(
        "POST /say/%s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(name, body.length(), body));
  }
}
