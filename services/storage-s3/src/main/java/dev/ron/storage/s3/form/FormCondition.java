package dev.ron.storage.s3.form;

/**
 * What a field of a form must be.
 *
 * <p>Threading: immutable.
 *
 * @param field in lower case
 * @param prefix whether the field must only begin with the value
 */
record FormCondition(String field, boolean prefix, String value) {
  boolean fits(String text) {
    return prefix ? text.startsWith(value) : text.equals(value);
  }
}
