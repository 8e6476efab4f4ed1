package dev.ron.kernel.metric;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * The metrics of several services in one text, each sample with the label {@code service}.
 *
 * <p>Services share the names of their metrics, and the text form allows each family once; so the
 * samples of a family are gathered from all services behind one HELP and one TYPE, the first ones.
 *
 * <p>Threading: owned by its caller; {@link Metrics} are thread-safe.
 */
public final class Exposition {
  private static final String HELP = "# HELP ";
  private static final String TYPE = "# TYPE ";

  /** One family: its comment lines, then its samples. */
  private static final class Family {
    final List<String> comments = new ArrayList<>(2);
    final List<String> samples = new ArrayList<>();
  }

  private final SequencedMap<String, Family> families = new LinkedHashMap<>();

  private Exposition() {}

  /** The text of all of them, in the order given. */
  public static String of(SequencedMap<String, Metrics> services) {
    var all = new Exposition();
    services.forEach((service, metrics) -> all.add(service, metrics.text()));
    return all.text();
  }

  private void add(String service, String text) {
    Family family = new Family();
    boolean first = true;
    for (String line : text.lines().toList()) {
      if (line.startsWith(HELP) || line.startsWith(TYPE)) {
        String name = line.substring(HELP.length()).split(" ", 2)[0];
        Family known = families.computeIfAbsent(name, _ -> new Family());
        first = known != family ? known.comments.isEmpty() : first;
        family = known;
        if (first) {
          family.comments.add(line);
        }
      } else if (!line.isEmpty() && line.charAt(0) != '#') {
        family.samples.add(labelled(line, service));
      }
    }
  }

  /** A name ends at a brace or at the space before the value. */
  private static String labelled(String sample, String service) {
    int brace = sample.indexOf('{');
    int space = sample.indexOf(' ');
    String label = "{service=\"" + service + "\"";
    return brace >= 0 && brace < space
        ? sample.substring(0, brace) + label + "," + sample.substring(brace + 1)
        : sample.substring(0, space) + label + "}" + sample.substring(space);
  }

  private String text() {
    var out = new StringBuilder(64 * 1024);
    for (Map.Entry<String, Family> each : families.entrySet()) {
      each.getValue().comments.forEach(line -> out.append(line).append('\n'));
      each.getValue().samples.forEach(line -> out.append(line).append('\n'));
    }
    return out.toString();
  }
}
