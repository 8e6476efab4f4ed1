package dev.ron.node.up;

import dev.ron.config.ConfigCatalogue;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Shows the configuration as it would be used, and where each value comes from.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "config", description = "Print every setting, its value and where it came from.")
public final class ConfigCommand implements Callable<Integer> {
  @Mixin private final ConfigOptions options = new ConfigOptions();

  @Option(names = "--json", description = "As JSON.")
  private boolean json;

  @Option(names = "--reference", description = "Every key with its default, as Markdown.")
  private boolean reference;

  @Override
  public Integer call() {
    ConfigCatalogue catalogue = options.load().catalogue();
    System.out.print(
        reference ? catalogue.reference() : json ? catalogue.json() + "\n" : catalogue.table());
    return 0;
  }
}
