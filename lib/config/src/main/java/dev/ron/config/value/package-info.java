/**
 * Values: the types that are more than text, and how raw text and TOML become one.
 *
 * <pre>
 * host and port ....................... HostPort
 * bytes, bytes per second ............. ByteSize, ByteRate
 * durations with a unit ............... Durations
 * text that is never printed .......... Secret
 * value before it has a type .......... RawValue
 * where a value came from ............. ValueOrigin
 * reads and shows one kind of value ... ValueType
 * numeric types ....................... NumberTypes
 * lists, tables and paths ............. CollectionTypes
 * values as TOML and JSON text ........ Literal
 * </pre>
 */
@NullMarked
package dev.ron.config.value;

import org.jspecify.annotations.NullMarked;
