package dev.ron.tidy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * A Java file as the compiler parsed it: its types, methods and calls, with their lines.
 *
 * <p>Only parsed, never resolved, so a file can be read without its class path.
 *
 * <p>Threading: owned by the run that reads it, as the compiler's trees are.
 */
public final class Syntax {
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** One for all files: none of them asks it for a class, and opening it takes longest. */
  private static final JavaFileManager NO_CLASSES =
      COMPILER.getStandardFileManager(null, Locale.ROOT, UTF_8);

  private final CompilationUnitTree unit;
  private final Trees trees;

  private Syntax(CompilationUnitTree unit, Trees trees) {
    this.unit = unit;
    this.trees = trees;
  }

  /** Parses one file; what does not parse cannot be checked, so it is refused. */
  static Syntax parse(SourceFile file) {
    return parse(List.of(file)).getFirst();
  }

  /**
   * Parses many with one compiler, in their order: making a compiler takes longer than most files
   * do.
   */
  static List<Syntax> parse(List<SourceFile> files) {
    if (files.isEmpty()) {
      return List.of();
    }
    var problems = new DiagnosticCollector<JavaFileObject>();
    var options = List.of("-proc:none");
    List<Source> sources = files.stream().map(Source::new).toList();
    var task = (JavacTask) COMPILER.getTask(null, NO_CLASSES, problems, options, null, sources);
    var parsed = new ArrayList<Syntax>();
    try {
      for (CompilationUnitTree unit : task.parse()) {
        parsed.add(new Syntax(unit, Trees.instance(task)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (Diagnostic<? extends JavaFileObject> problem : problems.getDiagnostics()) {
      if (problem.getKind() == Diagnostic.Kind.ERROR) {
        JavaFileObject where = problem.getSource();
        throw new IllegalArgumentException(
            (where == null ? "" : where.toUri().getPath().substring(1))
                + ":"
                + problem.getLineNumber()
                + ": "
                + problem.getMessage(Locale.ROOT));
      }
    }
    return parsed;
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(SourceFile file) {
      super(URI.create("source:///" + file.path()), JavaFileObject.Kind.SOURCE);
      this.text = file.text();
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /**
   * Every class, record, enum, interface and annotation, nested ones too; anonymous ones have no
   * name.
   */
  List<TreePath> types() {
    return paths(
            Tree.Kind.CLASS,
            Tree.Kind.RECORD,
            Tree.Kind.ENUM,
            Tree.Kind.INTERFACE,
            Tree.Kind.ANNOTATION_TYPE)
        .stream()
        .filter(p -> !((ClassTree) p.getLeaf()).getSimpleName().isEmpty())
        .toList();
  }

  /** Whether the type stands in the file itself, in no other type. */
  boolean isTopLevel(TreePath type) {
    return type.getParentPath().getLeaf() instanceof CompilationUnitTree;
  }

  /** Every method and constructor that stands in the source. */
  List<MethodTree> methods() {
    return paths(Tree.Kind.METHOD).stream()
        .map(p -> (MethodTree) p.getLeaf())
        .filter(m -> endLine(m) > 0)
        .toList();
  }

  /** Every call. */
  List<MethodInvocationTree> calls() {
    return paths(Tree.Kind.METHOD_INVOCATION).stream()
        .map(p -> (MethodInvocationTree) p.getLeaf())
        .toList();
  }

  /** The Javadoc above a declaration, without its stars. */
  Optional<String> javadoc(TreePath declaration) {
    return Optional.ofNullable(trees.getDocComment(declaration));
  }

  /** The annotations above {@code package}, by simple name. */
  List<String> packageAnnotations() {
    return unit.getPackageAnnotations().stream()
        .map(a -> a.getAnnotationType().toString())
        .map(name -> name.substring(name.lastIndexOf('.') + 1))
        .toList();
  }

  int line(Tree tree) {
    return lineAt(trees.getSourcePositions().getStartPosition(unit, tree));
  }

  int endLine(Tree tree) {
    return lineAt(trees.getSourcePositions().getEndPosition(unit, tree));
  }

  private int lineAt(long offset) {
    return offset < 0 ? 0 : (int) unit.getLineMap().getLineNumber(offset);
  }

  private List<TreePath> paths(Tree.Kind... kinds) {
    var wanted = List.of(kinds);
    var found = new ArrayList<TreePath>();
    new TreePathScanner<@Nullable Void, @Nullable Void>() {
      @Override
      public @Nullable Void scan(@Nullable Tree tree, @Nullable Void unused) {
        if (tree != null && getCurrentPath() != null && wanted.contains(tree.getKind())) {
          found.add(new TreePath(getCurrentPath(), tree));
        }
        return super.scan(tree, null);
      }
    }.scan(new TreePath(unit), null);
    return found;
  }
}
