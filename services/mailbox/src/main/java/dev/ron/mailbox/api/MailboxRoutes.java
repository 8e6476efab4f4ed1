package dev.ron.mailbox.api;

import dev.ron.http.server.Handler;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.mailbox.grpc.GrpcRoutes;
import java.time.Duration;
import java.util.List;

/** Every route of the mailbox, with what it answers. */
public final class MailboxRoutes {
  /** What a long poll may take besides its wait. */
  public static final Duration AFTER_WAIT = Duration.ofSeconds(5);

  private MailboxRoutes() {}

  public static Routes of(MailboxContext desk) {
    var send = new Send(desk);
    var receive = new Receive(desk);
    var stream = new ReceiveStream(desk, receive);
    var topics = new Topics(desk);
    var routes =
        Routes.of()
            .add(
                post("/v1/send", "send", send.one(), "Takes a message in, durably.", 409, 413, 422)
                    .query("topic", "idem_key", "group", "sticky", "delay_ms", "on_duplicate")
                    .takes(Send.FORM)
                    .bodyBytesMax(desk.formBytesMax()))
            .add(
                post("/v1/send/batch", "send-batch", send.batch(), "Takes up to 100 messages in.")
                    .takes(Send.BATCH)
                    .bodyBytesMax(desk.batchBytesMax()))
            .add(
                post("/v1/recv", "recv", receive.handler(), "Hands out messages.")
                    .takes(receive.form())
                    .within(Receive.WAIT_MAX.plus(AFTER_WAIT)))
            .add(
                post(
                        "/v1/recv/stream",
                        "recv-stream",
                        stream.handler(),
                        "Hands out messages as they come, a line each.")
                    .takes(stream.form())
                    .within(ReceiveStream.TIME_MAX))
            .add(get("/v1/topics", "topics", topics.all(), "All topics."))
            .add(get("/v1/topics/{topic}", "topic", topics.one(), "One topic.", 404));
    var dead = new DeadLetterRoutes(desk, send);
    deadLetters(routes, dead);
    Settle ack = Ack.on(desk);
    Settle nack = Nack.on(desk);
    Settle extend = Extend.on(desk);
    settle(routes, ack, "Says that a message was handled.");
    settle(routes, nack, "Says that a message was not handled.");
    settle(routes, extend, "Asks for more time.");
    new GrpcRoutes(desk, send, receive, topics, dead).into(routes, ack, nack, extend);
    return routes;
  }

  private static void deadLetters(Routes routes, DeadLetterRoutes dead) {
    routes
        .add(get("/v1/dlq", "dlq-list", dead.list(), "Dead letters."))
        .add(get("/v1/dlq/{msg_id}", "dlq-show", dead.show(), "One dead letter.", 404))
        .add(
            post(
                    "/v1/dlq/reprocess",
                    "dlq-reprocess",
                    new Reprocess(dead).handler(),
                    "Sends many again.")
                .takes(Reprocess.FORM))
        .add(
            post(
                "/v1/dlq/{msg_id}/reprocess",
                "dlq-reprocess-one",
                new Reprocess.One(dead).handler(),
                "Sends one again.",
                404))
        .add(
            post(
                "/v1/dlq/{msg_id}/copy",
                "dlq-copy",
                dead.copy(),
                "Sends a changed copy; the dead letter stays.",
                404,
                409))
        .add(
            Route.of("DELETE", "/v1/dlq/{msg_id}", "dlq-drop", dead.drop())
                .documented("Drops a dead letter.", List.of(200, 401, 403, 404, 429, 503)));
  }

  private static void settle(Routes routes, Settle settle, String summary) {
    routes.add(
        post("/v1/" + settle.op() + "/{msg_id}", settle.op(), settle.one(), summary, 404, 409)
            .takes(settle.form()));
    routes.add(
        post("/v1/" + settle.op(), settle.op() + "-batch", settle.batch(), summary)
            .takes(settle.entries()));
  }

  private static Route post(
      String path, String op, Handler handler, String summary, Integer... more) {
    return route("POST", path, op, handler, summary, more);
  }

  private static Route get(
      String path, String op, Handler handler, String summary, Integer... more) {
    return route("GET", path, op, handler, summary, more);
  }

  private static Route route(
      String method, String path, String op, Handler handler, String summary, Integer... more) {
    var statuses = new java.util.ArrayList<>(List.of(200, 400, 401, 403, 429, 503));
    statuses.addAll(List.of(more));
    return Route.of(method, path, op, handler)
        .documented(summary, statuses.stream().sorted().toList());
  }
}
