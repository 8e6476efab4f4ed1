package dev.ron.node;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Says where a value is not what a schema promises, for the keywords that our documents use; any
 * other keyword is a complaint, so that none is passed over.
 *
 * <p>Stricter than JSON Schema in one point: a field that is not declared is a complaint where the
 * schema does not speak of additional ones.
 */
final class SchemaCheck {
  private static final Set<String> WORDS_FOR_READERS = Set.of("description", "examples");

  private final JsonNode document;
  private final List<String> complaints = new ArrayList<>();

  private SchemaCheck(JsonNode document) {
    this.document = document;
  }

  /**
   * @param document where references point into
   */
  static List<String> complaints(JsonNode document, JsonNode schema, JsonNode value) {
    var check = new SchemaCheck(document);
    check.value("$", schema, value);
    return check.complaints;
  }

  private void value(String at, JsonNode schema, JsonNode value) {
    for (var keyword : schema.properties()) {
      JsonNode rule = keyword.getValue();
      boolean good =
          switch (keyword.getKey()) {
            case "$ref" -> {
              value(at, document.at(rule.stringValue().substring(1)), value);
              yield true;
            }
            case "type" ->
                rule.isArray()
                    ? rule.values().stream().anyMatch(one -> isOf(one.stringValue(), value))
                    : isOf(rule.stringValue(), value);
            case "enum" -> rule.values().contains(value);
            case "minimum" -> !value.isNumber() || value.doubleValue() >= rule.doubleValue();
            case "maximum" -> !value.isNumber() || value.doubleValue() <= rule.doubleValue();
            case "minLength" ->
                !value.isString() || value.stringValue().length() >= rule.intValue();
            case "maxLength" ->
                !value.isString() || value.stringValue().length() <= rule.intValue();
            case "pattern" ->
                !value.isString()
                    || Pattern.compile(rule.stringValue()).matcher(value.stringValue()).find();
            case "contentEncoding" -> !value.isString() || isBase64(value.stringValue());
            case "maxItems" -> !value.isArray() || value.size() <= rule.intValue();
            case "oneOf" ->
                rule.values().stream()
                        .filter(one -> complaints(document, one, value).isEmpty())
                        .count()
                    == 1;
            case "items" -> {
              int index = 0;
              for (JsonNode each : value.isArray() ? value.values() : List.<JsonNode>of()) {
                value(at + "[" + index++ + "]", rule, each);
              }
              yield true;
            }
            case "required" ->
                rule.values().stream().allMatch(name -> value.has(name.stringValue()));
            case "properties", "additionalProperties" -> true; // below, together
            default -> WORDS_FOR_READERS.contains(keyword.getKey());
          };
      if (!good) {
        complaints.add("%s: %s is not %s %s".formatted(at, value, keyword.getKey(), rule));
      }
    }
    if (value.isObject() && (schema.has("properties") || schema.has("additionalProperties"))) {
      fields(at, schema, value);
    }
  }

  private void fields(String at, JsonNode schema, JsonNode value) {
    for (var field : value.properties()) {
      String place = at + "." + field.getKey();
      JsonNode declared = schema.path("properties").get(field.getKey());
      JsonNode others = schema.get("additionalProperties");
      if (declared != null) {
        value(place, declared, field.getValue());
      } else if (others == null || (others.isBoolean() && !others.booleanValue())) {
        complaints.add(place + ": is not documented");
      } else if (others.isObject()) {
        value(place, others, field.getValue());
      }
    }
  }

  private static boolean isOf(String type, JsonNode value) {
    return switch (type) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isString();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "boolean" -> value.isBoolean();
      case "null" -> value.isNull();
      default -> false;
    };
  }

  private static boolean isBase64(String text) {
    try {
      Base64.getDecoder().decode(text);
      return true;
    } catch (IllegalArgumentException not) {
      return false;
    }
  }
}
