/**
 * Header fields and request targets as values: text in, value or refusal out. Nothing here has a
 * thread, a clock or I/O; where the time or chance matters it is a parameter.
 *
 * <pre>
 * Parsed           a value, or why the text is none
 * EntityTag, EntityTags, HttpDate                   validators
 * Conditionals     RFC 9110 section 13: proceed, 304 or 412, and whether Range applies
 * Ranges, ByteRange, ContentRange                   RFC 9110 section 14
 * StructuredField  RFC 9651 dictionaries; BareItem the leaves; StructuredReader the text
 * CacheControl     RFC 9111 directives              AcceptEncoding, ContentCoding   q-values and codings
 * TraceParent      who asked, across machines
 * Forwarded, ForwardedNode                          RFC 7239
 * ProxyFields      what passes a proxy, and what does not; NameSet finds names
 * FieldCursor      the one scanner that the parsers of lists share
 * Hex, Utf8        strict decoding of what arrives as percent signs
 * </pre>
 *
 * A field value is a string with one char per octet (ISO 8859-1), as the wire delivers it. Text
 * that the peer got wrong is a value ({@link dev.ron.http.field.Parsed.Bad} or a case of a sealed
 * type); an exception out of this package is a bug of its caller.
 */
@NullMarked
package dev.ron.http.field;

import org.jspecify.annotations.NullMarked;
