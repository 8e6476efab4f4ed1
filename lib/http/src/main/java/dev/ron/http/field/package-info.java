/**
 * Header fields as values: text in, value or refusal out, without thread, clock or I/O.
 *
 * <pre>
 * a value, or why the text is none ............ ParseResult
 * validator of a representation ............... ETag
 * value of If-Match or If-None-Match .......... ETags
 * a date as HTTP writes it .................... HttpDate
 * preconditions and their order (RFC 9110) .... Conditionals
 * what a Range field selects .................. Ranges
 * one range of bytes .......................... ByteRange
 * the Content-Range field ..................... ContentRange
 * directives of Cache-Control ................. CacheControl
 * codings a client accepts, and which first ... AcceptEncoding
 * structured fields (RFC 9651) ................ StructuredField, BareItem
 * text of structured fields ................... StructuredReader
 * the Forwarded field (RFC 7239) .............. ForwardedHeader, ForwardedNode
 * the traceparent field ....................... TraceParent
 * fields that pass a proxy .................... ProxyFields
 * a set of field names, ignoring case ......... NameSet
 * scanner that list parsers share ............. FieldCursor
 * strict decoding of escapes .................. Hex, Utf8
 * </pre>
 */
@NullMarked
package dev.ron.http.field;

import org.jspecify.annotations.NullMarked;
