import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * Makes a Java agent that does nothing but put Error Prone and NullAway on the class path of
 * Maven's JVM.
 *
 * <p>javac makes a class loader for the processor path of each compilation, and asks its parent
 * first. Without the agent each of some sixty compilations loads, links and warms up all checks
 * anew, which takes longer than checking does; with it they are loaded once.
 *
 * <p>Arguments: the list of jars, the local repository, the agent to make. Makes none while a jar is
 * missing from the repository: then every compilation loads its own, as it would anyway.
 */
public final class SharedChecks {
  public static void main(String[] args) throws IOException {
    Path repository = Path.of(args[1]).toAbsolutePath();
    Path agent = Path.of(args[2]).toAbsolutePath();
    var jars = new ArrayList<Path>();
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      if (!line.isBlank() && !line.startsWith("#")) {
        jars.add(repository.resolve(file(line.strip())));
      }
    }
    if (jars.stream().allMatch(Files::isRegularFile)) {
      make(jars, agent);
    }
  }

  /** As a local repository names it. */
  private static String file(String coordinates) {
    String[] part = coordinates.split(":", -1);
    return "%s/%s/%s/%s-%s.jar"
        .formatted(part[0].replace('.', '/'), part[1], part[2], part[1], part[2]);
  }

  private static void make(List<Path> jars, Path agent) throws IOException {
    String self = SharedChecks.class.getName() + ".class";
    var manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.putValue("Premain-Class", SharedChecks.class.getName());
    main.put(
        Attributes.Name.CLASS_PATH,
        String.join(" ", jars.stream().map(jar -> jar.toUri().toString()).toList()));
    Path made = Files.createTempFile(agent.getParent(), "shared-checks", ".jar");
    try (InputStream code = SharedChecks.class.getClassLoader().getResourceAsStream(self);
        OutputStream out = Files.newOutputStream(made);
        var jar = new JarOutputStream(out, manifest)) {
      jar.putNextEntry(new JarEntry(self));
      code.transferTo(jar);
    }
    Files.move(made, agent, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** The class path is all there is to it. */
  public static void premain(String arguments) {}

  private SharedChecks() {}
}
