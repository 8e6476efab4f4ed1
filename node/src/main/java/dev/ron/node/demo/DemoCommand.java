package dev.ron.node.demo;

import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A guided tour on a node of its own, with real effects.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "demo", description = "A tour: real load, real kills, and figures that must hold.")
public final class DemoCommand implements Callable<Integer> {
  /** Past the doors of the tour's own node. */
  static final int MACHINES_APART = 100;

  @Option(names = "--fast", description = "Do not wait for a reader; fail if a figure is wrong.")
  private boolean fast;

  @Option(
      names = "--base-port",
      defaultValue = "18080",
      description = "Away from a node that may be running; ${DEFAULT-VALUE} if not given.")
  private int basePort;

  @Option(
      names = "--one-machine",
      description = "Leave out the chapter with three machines, which takes most of the time.")
  private boolean oneMachine;

  @Override
  public Integer call() throws Exception {
    var tour =
        new Tour(
            World.real(Log.silent()),
            List.of("--base-port", Integer.toString(basePort), "--limits", "open"),
            oneMachine ? Optional.empty() : Optional.of(basePort + MACHINES_APART));
    return tour.play(System.out, fast) ? 0 : 1;
  }
}
