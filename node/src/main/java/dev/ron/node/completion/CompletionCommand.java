package dev.ron.node.completion;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Prints a script that completes commands and options, made from the commands themselves.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "completion",
    description = "A completion script: source <(ron completion bash), or for zsh or fish.")
public final class CompletionCommand implements Callable<Integer> {
  /** The shells there are scripts for. */
  enum Shell {
    bash,
    zsh,
    fish
  }

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}.")
  private Shell shell = Shell.bash;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    CommandLine all = spec.root().commandLine();
    System.out.print(
        switch (shell) {
          case bash -> AutoComplete.bash("ron", all);
          // The script brings zsh's own bridge to the completions of bash.
          case zsh -> "autoload -U +X compinit && compinit\n" + AutoComplete.bash("ron", all);
          case fish -> FishScript.of(all);
        });
    return 0;
  }
}
