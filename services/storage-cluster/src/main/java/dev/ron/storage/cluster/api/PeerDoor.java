package dev.ron.storage.cluster.api;

import dev.ron.blake3.Address;
import dev.ron.http.Headers;
import dev.ron.http.HttpFault;
import dev.ron.http.Problem;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Query;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.storage.api.StorageContext;
import dev.ron.storage.cluster.node.PeerWire;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The same routes without a listener, for a wire that is not HTTP: it takes a request and gives the
 * answer that the door would give.
 *
 * <p>What has the wire is a node: no capability is asked for.
 *
 * <p>Threading: immutable; a request is answered on its caller's thread.
 */
public final class PeerDoor {
  private static final String ADDRESS = "/{address}";

  private final List<Route> routes;

  public PeerDoor(PeerRoutes peers) {
    this.routes = peers.addTo(Routes.of()).all();
  }

  /**
   * @param target path and query
   */
  public PeerWire.Reply answer(String method, String target, byte[] body)
      throws InterruptedException {
    int mark = target.indexOf('?');
    String path = mark < 0 ? target : target.substring(0, mark);
    String query = mark < 0 ? "" : target.substring(mark + 1);
    for (Route route : routes) {
      if (route.method().equals(method)
          && matches(route.pattern().toString(), path)
          && route.handler() instanceof PeerHandler handler) {
        return reply(handler, new Brought(path, query, body));
      }
    }
    return problem(Refusal.of(new HttpFault.NotFound("nodes do not ask " + path)));
  }

  private static boolean matches(String pattern, String path) {
    return pattern.endsWith(ADDRESS)
        ? pattern.equals(path.substring(0, path.lastIndexOf('/')) + ADDRESS)
        : pattern.equals(path);
  }

  private static PeerWire.Reply reply(PeerHandler handler, PeerRequest request)
      throws InterruptedException {
    try {
      Answer answer = handler.answer(request);
      return switch (answer.body()) {
        case Body.Bytes(byte[] bytes) ->
            new PeerWire.Reply(answer.status(), answer.headers(), new ByteArrayInputStream(bytes));
        case Body.Refused(var fault) -> problem(new Refusal(answer.status(), fault));
        default -> throw new IllegalStateException("an answer of nodes is in memory");
      };
    } catch (Refusal refusal) {
      return problem(refusal);
    } catch (IOException trouble) {
      return problem(Refusal.of(new HttpFault.Internal()));
    } catch (InterruptedException | RuntimeException passedOn) {
      throw passedOn;
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static PeerWire.Reply problem(Refusal refusal) {
    byte[] words = new Problem(refusal.status(), refusal.fault(), "").json();
    return new PeerWire.Reply(refusal.status(), new Headers(1), new ByteArrayInputStream(words));
  }

  /**
   * A request that a wire brought whole.
   *
   * <p>Threading: as its caller says.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Brought(String path, String text, byte[] bytes) implements PeerRequest {
    @Override
    public Address address() throws Refusal {
      return StorageContext.address(path.substring(path.lastIndexOf('/') + 1));
    }

    @Override
    public Query query() {
      var params = new ArrayList<Query.Param>();
      for (String pair : text.isEmpty() ? new String[0] : text.split("&", -1)) {
        int equals = pair.indexOf('=');
        params.add(new Query.Param(pair.substring(0, equals), pair.substring(equals + 1)));
      }
      return new Query(params);
    }

    @Override
    public long bodyBytes() {
      return bytes.length;
    }

    @Override
    public InputStream body() {
      return new ByteArrayInputStream(bytes);
    }

    @Override
    public byte[] collect(int bytesMax) throws IOException {
      if (bytes.length > bytesMax) {
        throw Refusal.of(new HttpFault.BodyCap(bytesMax));
      }
      return bytes;
    }
  }
}
