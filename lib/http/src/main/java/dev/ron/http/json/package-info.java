/**
 * JSON read strictly and written plainly.
 *
 * <pre>
 * Json          bytes to records and back; JsonRead what became of a body
 * JsonFault     what is wrong, and where; Diagnosis finds it
 * </pre>
 *
 * No class is ever named by the input: there is no default typing, and what is read is a record the
 * caller names.
 */
@NullMarked
package dev.ron.http.json;

import org.jspecify.annotations.NullMarked;
