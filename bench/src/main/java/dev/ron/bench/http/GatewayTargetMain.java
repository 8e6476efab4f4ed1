package dev.ron.bench.http;

import dev.ron.config.Settings;
import dev.ron.gateway.GatewayConfig;
import dev.ron.gateway.GatewayService;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Tree;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Our gateway in a process of its own, wired as a node wires it; only the rate cap is lifted, as
 * {@code limits = open} does.
 *
 * <p>It ends when its standard input does, and so with whoever started it.
 *
 * <p>Threading: owned by the main thread.
 */
public final class GatewayTargetMain {
  private GatewayTargetMain() {}

  /**
   * Serves until standard input ends.
   *
   * @param args settings of the gateway as {@code key=value}
   */
  public static void main(String[] args) throws Exception {
    Map<String, String> flags = new HashMap<>();
    for (String pair : args) {
      int at = pair.indexOf('=');
      flags.put("gateway." + pair.substring(0, at), pair.substring(at + 1));
    }
    Settings settings = Settings.load(flags, Map.of(), Optional.empty());
    var draft = settings.read("gateway", GatewayConfig::read);
    settings.check();
    var scope = Scope.of("gateway", World.real(Log.silent()));
    GatewayService.Wired wired = GatewayService.wire(draft.value(), scope, true, null);
    Tree tree = wired.supervisor().start(scope);
    System.in.transferTo(OutputStream.nullOutputStream());
    tree.drain();
  }
}
