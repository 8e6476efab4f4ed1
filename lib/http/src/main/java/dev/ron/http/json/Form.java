package dev.ron.http.json;

import dev.ron.http.Refusal;
import dev.ron.kernel.fault.Fault;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a JSON object, declared once: bytes are read by it, strictly, and OpenAPI shows it.
 *
 * <p>An unknown field, a name that stands twice, anything behind the object, a value of a wrong
 * type, a field that is missing: each is a refusal that names the place.
 *
 * <pre>{@code
 * static final Form FORM =
 *     Form.of(RewarderFault.Schema::new, Field.text("policy"), Field.texts("epochs", 100));
 * ...
 * Fields body = FORM.read(exchange.body().collect(BYTES_MAX));
 * String policy = body.text("policy");
 * }</pre>
 *
 * <p>A list of values that several verbs share is a {@code Field} constant. A rule that needs more
 * than the value is the verb's: it throws {@link Fields#wrong}.
 *
 * <p>Threading: immutable.
 */
public final class Form {
  private final Map<String, Field> fields = new LinkedHashMap<>();
  private final FormFaults words;
  private final boolean open;
  private final Schema schema;

  private Form(FormFaults words, boolean open, Field... fields) {
    this.words = words;
    this.open = open;
    var properties = new LinkedHashMap<String, Schema>();
    var required = new ArrayList<String>();
    for (Field field : fields) {
      if (this.fields.put(field.name(), field) != null) {
        throw new IllegalArgumentException("a form with two fields " + field.name());
      }
      properties.put(field.name(), field.schema());
      if (field.required()) {
        required.add(field.name());
      }
    }
    this.schema = Schema.object(properties, required).with("additionalProperties", open);
  }

  /**
   * @param fault of a body that is not in this form, made of its detail
   */
  public static Form of(Function<String, ? extends Fault> fault, Field... fields) {
    return new Form(fault::apply, false, fields);
  }

  /** The same for an answer of another server, which may say more than is asked for here. */
  public Form open() {
    return new Form(words, true, fields.values().toArray(Field[]::new));
  }

  public Schema schema() {
    return schema;
  }

  /** The bytes as JSON; no bytes are the empty object. */
  public Fields read(byte[] json) throws Refusal {
    return read(tree(json));
  }

  /** As {@link #read(byte[])}, for a tree that came another way or was changed. */
  public Fields read(Map<String, ? extends @Nullable Object> tree) throws Refusal {
    return check(tree, "", words);
  }

  /** The object before it is checked, in the terms of {@link JsonTree}. */
  public Map<String, @Nullable Object> tree(byte[] json) throws Refusal {
    try {
      return json.length == 0 ? new LinkedHashMap<>() : JsonTree.object(json);
    } catch (Refusal malformed) {
      throw Refusal.of(words.fault(malformed.fault().detail()));
    }
  }

  Fields check(Map<String, ? extends @Nullable Object> tree, String place, FormFaults told)
      throws Refusal {
    var values = new LinkedHashMap<String, Object>();
    for (Field field : fields.values()) {
      String at = place + field.name();
      Object raw = tree.get(field.name());
      if (raw != null) {
        values.put(field.name(), field.check().value(raw, at, told));
      } else if (tree.containsKey(field.name()) && !field.takesNull()) {
        throw told.wrong(at, "must not be null; leave it out instead");
      } else if (field.required()) {
        throw told.wrong(at, "is missing");
      }
    }
    for (String name : tree.keySet()) {
      if (!open && !fields.containsKey(name)) {
        throw told.wrong(place + JsonTree.shown(name), "is not a known field");
      }
    }
    return new Fields(place, values, fields.keySet(), told);
  }
}
