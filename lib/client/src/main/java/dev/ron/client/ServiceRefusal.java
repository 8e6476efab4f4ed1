package dev.ron.client;

import dev.ron.http.Refusal;
import dev.ron.http.json.JsonTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An answer of 300 or more: its status, and the code and the words of its problem. */
public final class ServiceRefusal extends IOException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;
  private final String problem;

  private ServiceRefusal(int status, String code, String detail, String problem) {
    super(detail);
    this.status = status;
    this.code = code;
    this.problem = problem;
  }

  /** With the code and the words of a problem that is no JSON. */
  public static ServiceRefusal of(int status, String code, String detail) {
    return new ServiceRefusal(status, code, detail, "");
  }

  /** An answer to HEAD, or of another server, may have no problem. */
  static ServiceRefusal of(int status, byte[] body) {
    String problem = new String(body, StandardCharsets.UTF_8);
    Map<String, @Nullable Object> fields = Map.of();
    try {
      fields = JsonTree.object(body);
    } catch (Refusal none) {
      // The status alone says what there is to say.
    }
    String code = fields.get("code") instanceof String text ? text : "refused";
    String detail =
        fields.get("detail") instanceof String text
            ? text
            : "the answer was "
                + status
                + (status == 401 ? ": the capability is not accepted" : "");
    return new ServiceRefusal(status, code, detail, problem);
  }

  public int status() {
    return status;
  }

  public String code() {
    return code;
  }

  /** The body as it came. */
  public String problem() {
    return problem;
  }

  /** Another try may be answered: the service is busy, or does not reach what it needs. */
  public boolean mayPass() {
    return status == 429 || (status >= 500 && status <= 504);
  }
}
