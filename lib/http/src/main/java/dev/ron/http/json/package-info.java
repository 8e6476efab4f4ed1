/**
 * JSON read strictly and written plainly.
 *
 * <pre>
 * bytes to records and back ............... Json
 * a value, or why there is none ........... JsonRead
 * what is wrong, and where ................ JsonFault
 * UTF-8 and Unicode before it is parsed ... JsonEncoding
 * how large its parts may be .............. JsonLimits
 * turns parser exceptions into faults ..... JsonDiagnosis
 * strict form of a JSON body .............. Form
 * one field of a form ..................... Field
 * values read by a form ................... Fields
 * JSON as maps, lists and exact numbers ... JsonTree
 * JSON Schema for OpenAPI ................. Schema
 * how a service words a wrong body ........ FormFaults
 * </pre>
 */
@NullMarked
package dev.ron.http.json;

import org.jspecify.annotations.NullMarked;
