package dev.ron.http.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/**
 * JSON bytes to records and back.
 *
 * <p>Reading is strict. An unknown field, a key that comes twice, anything behind the value, a
 * string where a number is asked for (and every other coercion), a null in a list: each is a {@link
 * JsonFault} that names the place. A field that is absent is null, zero or empty in the record, and
 * the record's own constructor decides whether that is allowed; its {@link
 * IllegalArgumentException} is the caller's fault and its message is repeated to them.
 *
 * <p>Component names become snake case. Absent and null components are not written.
 *
 * <p>Threading: thread-safe; nothing changes once it is made.
 */
public final class Json {
  public static final int DEPTH_MAX = 32;
  static final int NAME_CHARS_MAX = 256;
  static final int NUMBER_CHARS_MAX = 64;

  /** Made when it is first needed: a mapper costs a service without JSON nothing. */
  private static final class Plain {
    static final Json JSON = strict(1 << 20);
  }

  private final JsonMapper mapper;

  private Json(JsonMapper mapper) {
    this.mapper = mapper;
  }

  /** Made when a machine first hears from another. */
  private static final class Tolerant {
    static final Json JSON = new Json(mapper(1 << 20, false));
  }

  /** Shared by all code that writes, or that reads no long strings. */
  public static Json plain() {
    return Plain.JSON;
  }

  /**
   * For what the machines of one cluster say to each other and write down of each other: they are
   * upgraded one after the other, so an unknown field is a newer machine's and passed over. All
   * else is as strict. Never for a door that clients reach, where it would hide a mistake.
   */
  public static Json tolerant() {
    return Tolerant.JSON;
  }

  /**
   * @param stringCharsMax the longest string; a payload in base64 is one
   */
  public static Json strict(int stringCharsMax) {
    if (stringCharsMax < 1) {
      throw new IllegalArgumentException(
          "stringCharsMax = " + stringCharsMax + " must be positive");
    }
    return new Json(mapper(stringCharsMax, true));
  }

  private static JsonMapper mapper(int stringCharsMax, boolean knownFieldsOnly) {
    var factory =
        JsonFactory.builder()
            .streamReadConstraints(new JsonLimits(stringCharsMax))
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    return JsonMapper.builder(factory)
        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, knownFieldsOnly)
        .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
        // Checked by hand, so that garbage and a second value are one fault.
        .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
        .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
        .withCoercionConfigDefaults(
            config -> {
              for (var shape : CoercionInputShape.values()) {
                config.setCoercion(shape, CoercionAction.Fail);
              }
            })
        // 1 is a number like 1.0.
        .withCoercionConfig(
            LogicalType.Float,
            config -> config.setCoercion(CoercionInputShape.Integer, CoercionAction.TryConvert))
        .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL))
        .changeDefaultPropertyInclusion(
            inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_ABSENT))
        .build();
  }

  /** The whole of {@code body} as one value of {@code type}. */
  public <T> JsonRead<T> read(byte[] body, Class<T> type) {
    Optional<JsonFault> encoding = JsonEncoding.wrong(body);
    if (encoding.isPresent()) {
      return new JsonRead.Bad<>(encoding.get());
    }
    try (JsonParser parser = mapper.createParser(body)) {
      T value;
      try {
        value = mapper.readerFor(type).readValue(parser);
      } catch (JacksonException e) {
        return new JsonRead.Bad<>(JsonDiagnosis.of(e, parser, body));
      }
      if (value == null) {
        return new JsonRead.Bad<>(new JsonFault.WrongType("$", "must not be null"));
      }
      return endsCleanly(parser)
          ? new JsonRead.Value<>(value)
          : new JsonRead.Bad<>(new JsonFault.Trailing("$"));
    }
  }

  private static boolean endsCleanly(JsonParser parser) {
    try {
      return parser.nextToken() == null;
    } catch (StreamReadException _) {
      return false;
    }
  }

  /** Compact, in UTF-8. What cannot be written is a bug in the record. */
  public byte[] write(Object value) {
    return mapper.writeValueAsBytes(value);
  }
}
