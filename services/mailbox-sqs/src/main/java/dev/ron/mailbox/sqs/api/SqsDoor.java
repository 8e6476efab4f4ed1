package dev.ron.mailbox.sqs.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.ron.capability.Verifier;
import dev.ron.http.Refusal;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.CapabilityRates;
import dev.ron.http.server.guard.RefusalLimit;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.protocol.AnswerText;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import dev.ron.mailbox.sqs.protocol.RequestId;
import dev.ron.mailbox.sqs.protocol.RequestTree;
import dev.ron.mailbox.sqs.protocol.SqsErrorFormat;
import dev.ron.mailbox.sqs.protocol.SqsProtocol;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything that comes in: reads it in its protocol, checks who sent it, and lets the action
 * answer.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
public final class SqsDoor implements Blocking {
  /** The route by which people look into queues without receiving. */
  private static final String INSPECTION = "/_aws/sqs/messages";

  private static final String HEALTH = "/health";
  private static final String TARGET_START = "AmazonSQS.";

  private final SqsContext context;
  private final SqsIdentity identity;
  private final BodyMemory memory;
  private final Map<String, SqsAction<?, ?>> actions;
  private final SqsAction<?, ?> inspection;

  /**
   * @param verifier null takes every key
   * @param rps of the node, which the bound on refusals is a part of; 0 for no bound
   * @param actions by the names of the model
   */
  public SqsDoor(
      SqsContext context,
      @Nullable Verifier verifier,
      int rps,
      Map<String, SqsAction<?, ?>> actions,
      SqsAction<?, ?> inspection) {
    this.context = context;
    this.identity =
        new SqsIdentity(
            context.config(),
            verifier,
            new CapabilityRates(context.time()),
            new RefusalLimit(context.time(), _ -> false),
            rps,
            context.time());
    this.memory = new BodyMemory(context.config().bodyMemory().bytes());
    this.actions = Map.copyOf(actions);
    this.inspection = inspection;
  }

  /** The most that a body may have. */
  public static int bodyBytesMax() {
    return BodyMemory.BODY_BYTES_MAX;
  }

  @Override
  public Answer handle(Exchange exchange) throws Exception {
    if (exchange.head().rawPath().equals(HEALTH)) {
      return Answer.text(200, "OK");
    }
    RefusalLimit.Account account = identity.admit(exchange);
    Instant begun = context.time().now();
    String name = "unknown";
    try (BodyMemory.Held body = memory.read(exchange)) {
      SqsProtocol protocol = SqsProtocol.of(exchange.headers());
      SqsIdentity.Known known = identity.of(exchange, body.bytes(), account);
      RequestTree tree = tree(exchange, protocol, body.bytes());
      Named named = find(exchange, protocol, tree);
      name = named.name();
      exchange.span().with("ron.sqs.action", name);
      var call =
          new SqsCall(
              context,
              exchange,
              known.caller(),
              new QueueAddress.Origin(
                  known.caller().account(), known.region(), context.config().region()),
              tree,
              named.path());
      AnswerTree answer = named.action().answer(call);
      return write(exchange, protocol, named, answer);
    } catch (Refusal refusal) {
      throw Refusal.of(SqsErrorFormat.fault(refusal.fault()));
    } finally {
      Duration took = Duration.between(begun, context.time().now());
      context.metrics().requestSeconds().labelValues(name).observe(took.toNanos() / 1e9);
    }
  }

  /**
   * The action that is asked for.
   *
   * @param path the queue that it was asked of; null if it was asked of the door itself
   */
  private record Named(String name, SqsAction<?, ?> action, @Nullable String path) {}

  private Named find(Exchange exchange, SqsProtocol protocol, RequestTree tree) throws Refusal {
    String path = exchange.head().rawPath();
    if (path.startsWith(INSPECTION)) {
      String rest = path.substring(INSPECTION.length());
      return new Named("ReceiveMessage", inspection, rest.length() > 1 ? "/queue" + rest : null);
    }
    boolean atDoor = path.isEmpty() || path.equals("/");
    String asked = asked(exchange, protocol, tree);
    SqsAction<?, ?> action = actions.get(asked);
    if (action == null && protocol == SqsProtocol.JSON) {
      throw Refusal.of(new SqsFault.UnknownOperationException());
    }
    boolean json = protocol == SqsProtocol.JSON;
    if (action == null || (!atDoor && !json && !action.onQueue())) {
      throw Refusal.of(new SqsFault.InvalidAction(asked));
    }
    return new Named(asked, action, atDoor ? null : path);
  }

  private static String asked(Exchange exchange, SqsProtocol protocol, RequestTree tree)
      throws Refusal {
    if (protocol == SqsProtocol.JSON) {
      String target =
          Optional.ofNullable(exchange.headers().first(SqsProtocol.TARGET)).orElse("").strip();
      return target.startsWith(TARGET_START) ? target.substring(TARGET_START.length()) : "";
    }
    return tree.text("Action")
        .filter(action -> !action.isEmpty())
        .orElseThrow(() -> Refusal.of(new SqsFault.UnknownOperationException()));
  }

  private static RequestTree tree(Exchange exchange, SqsProtocol protocol, byte[] body)
      throws Refusal {
    if (protocol == SqsProtocol.JSON) {
      return RequestTree.json(body);
    }
    List<String> forms = new ArrayList<>();
    Optional.ofNullable(exchange.head().query()).ifPresent(forms::add);
    forms.add(new String(body, ISO_8859_1));
    return RequestTree.form(forms);
  }

  private static Answer write(
      Exchange exchange, SqsProtocol protocol, Named named, AnswerTree tree) {
    String id = RequestId.of(exchange.corrId());
    boolean hasResult = named.action().hasResult();
    byte[] bytes =
        switch (protocol) {
          case JSON -> hasResult ? AnswerText.json(tree) : new byte[0];
          case QUERY -> AnswerText.xml(named.name(), hasResult, tree, id);
          case QUERY_JSON -> AnswerText.wrappedJson(named.name(), tree, id);
        };
    return Answer.bytes(200, protocol.contentType(), bytes).with(RequestId.FIELD, id);
  }
}
