/**
 * JSON read strictly and written plainly.
 *
 * <pre>
 * Json          bytes to records and back; JsonRead what became of a body
 * JsonFault     what is wrong, and where; Diagnosis finds it
 * Form          a body's fields, each a Field, for reading and for OpenAPI; Fields its values,
 *               Words its fault
 * JsonTree      a body of any shape as maps and lists
 * Schema        a record or a form as JSON Schema
 * </pre>
 *
 * No class is ever named by the input: there is no default typing, and what is read is a record the
 * caller names.
 */
@NullMarked
package dev.ron.http.json;

import org.jspecify.annotations.NullMarked;
