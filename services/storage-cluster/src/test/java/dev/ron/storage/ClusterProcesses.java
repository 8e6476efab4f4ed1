package dev.ron.storage;

import static dev.ron.storage.Rig.address;

import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.ChildJvm;
import dev.ron.testkit.FaultyLink;
import dev.ron.testkit.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * Nodes as real processes, each reached by each other through a link that can be cut.
 *
 * <p>Threading: requests from any thread, the rest is the test's.
 */
final class ClusterProcesses implements AutoCloseable {
  private static final int RETRIES = 20;

  /** Ten of them share two cores with the watchers. */
  private static final List<String> SMALL =
      List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private final SystemTime time = new SystemTime();
  private final Path folder;
  private final List<String> settings;
  private final Map<String, Integer> ports = new TreeMap<>();
  private final Map<String, Map<String, FaultyLink>> links = new TreeMap<>();
  private final Map<String, ChildJvm> running = new ConcurrentHashMap<>();
  private final Map<String, ChildJvm> starting = new ConcurrentHashMap<>();
  private final HttpClient http = HttpClient.newHttpClient();

  ClusterProcesses(Path folder, List<String> names, List<String> settings) throws IOException {
    this.folder = folder;
    this.settings = new ArrayList<>(settings);
    List<Integer> free = FreePorts.several(names.size());
    for (int i = 0; i < names.size(); i++) {
      ports.put(names.get(i), free.get(i));
    }
    for (String from : names) {
      for (String to : names) {
        if (!from.equals(to)) {
          var target = new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.get(to));
          links.computeIfAbsent(from, _ -> new TreeMap<>()).put(to, new FaultyLink(target));
        }
      }
    }
  }

  Path folder(String node) {
    return folder.resolve(node);
  }

  List<String> running() {
    return running.keySet().stream().sorted().toList();
  }

  /**
   * @param members who is in the cluster, as this node is told
   */
  void start(String name, List<String> members, String... more) throws IOException {
    var peers = new ArrayList<String>();
    for (String member : members) {
      int port =
          member.equals(name) ? ports.get(name) : links.get(name).get(member).address().getPort();
      peers.add(member + "=http://127.0.0.1:" + port);
    }
    var args = new ArrayList<>(List.of(folder.resolve(name).toString()));
    args.addAll(settings);
    args.addAll(List.of(more));
    args.add("bind=127.0.0.1:" + ports.get(name));
    args.add("cluster.node=" + name);
    args.add("cluster.peers=" + String.join(",", peers));
    starting.put(name, ChildJvm.start(SMALL, ClusterMain.class, args.toArray(new String[0])));
  }

  /** Starts several at once, and waits until all listen. */
  void startAll(List<String> names, List<String> members, String... more) throws IOException {
    for (String name : names) {
      start(name, members, more);
    }
    for (String name : names) {
      awaitListening(name);
    }
  }

  void awaitListening(String name) throws IOException {
    ChildJvm child = starting.get(name);
    if (child.line() == null) {
      throw new AssertionError(name + " did not start");
    }
    starting.remove(name);
    running.put(name, child);
  }

  void kill9(String name) throws InterruptedException {
    ChildJvm child = running.remove(name);
    child.kill9();
    child.close();
  }

  /** Both ways, and silently: no node is told. */
  void part(String one, String other) {
    links.get(one).get(other).stall();
    links.get(other).get(one).stall();
  }

  void heal(String one, String other) {
    for (FaultyLink link : List.of(links.get(one).get(other), links.get(other).get(one))) {
      // What hung in the link is reset, as it would be by its owners sooner or later.
      link.cut();
      link.heal();
    }
  }

  HttpResponse<byte[]> send(String node, String method, String path, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ports.get(node) + path))
            .timeout(Duration.ofSeconds(60))
            .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
  }

  int put(String node, byte[] object) throws IOException, InterruptedException {
    return send(node, "PUT", "/o/" + address(object), object).statusCode();
  }

  HttpResponse<byte[]> get(String node, String path) throws IOException, InterruptedException {
    return send(node, "GET", path, new byte[0]);
  }

  /** Reads an object as a client does: what is unavailable is asked for again, as it is told. */
  HttpResponse<byte[]> read(String node, byte[] object) throws IOException, InterruptedException {
    HttpResponse<byte[]> answer = get(node, "/o/" + address(object));
    for (int tried = 0; tried < RETRIES && answer.statusCode() == 503; tried++) {
      time.sleepUntil(time.now().plus(Duration.ofMillis(500)));
      answer = get(node, "/o/" + address(object));
    }
    return answer;
  }

  String repair(String node) {
    try {
      return Rig.words(get(node, "/repair"));
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  double metric(String node, String line) throws IOException, InterruptedException {
    return Rig.words(get(node, "/metrics"))
        .lines()
        .filter(each -> each.startsWith(line))
        .mapToDouble(each -> Double.parseDouble(each.substring(each.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** Waits until every node has found nothing to do in rounds that began after now. */
  void settle() throws InterruptedException {
    for (int again = 0; again < 2; again++) {
      Map<String, Long> rounds = new HashMap<>();
      running().forEach(node -> rounds.put(node, ClusterTest.round(repair(node))));
      for (String node : running()) {
        settle(
            node,
            () -> {
              String words = repair(node);
              return ClusterTest.round(words) > rounds.get(node) + 2
                  && words.contains("\"missing\":0")
                  && words.contains("\"surplus\":0")
                  && words.contains("\"plans\":{\"all\":0")
                  && words.contains("\"away\":[]");
            });
      }
    }
  }

  private void settle(String node, BooleanSupplier settled) throws InterruptedException {
    for (int look = 0; look < 5; look++) {
      try {
        Rig.eventually("repair settles on " + node, settled);
        return;
      } catch (AssertionError later) {
        if (look < 4) {
          continue; // readers go first, and on a busy machine that takes its time
        }
        never(later);
      }
    }
  }

  private void never(AssertionError never) {
    var words = new StringBuilder();
    running().forEach(each -> words.append('\n').append(repair(each)));
    throw new AssertionError(never.getMessage() + words, never);
  }

  void awaitAllHere() throws InterruptedException {
    for (String node : running()) {
      Rig.eventually(
          node + " hears the others",
          () -> {
            String words = repair(node);
            return words.contains("\"presence\"") && !words.contains("\"presence\":\"away\"");
          });
    }
  }

  @Override
  public void close() throws IOException {
    running.values().forEach(ChildJvm::close);
    starting.values().forEach(ChildJvm::close);
    for (Map<String, FaultyLink> from : links.values()) {
      for (FaultyLink link : from.values()) {
        link.close();
      }
    }
    http.close();
  }
}
