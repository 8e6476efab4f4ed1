/**
 * Documents of requests and answers.
 *
 * <pre>
 * writes a document ....... XmlWriter
 * reads one, strictly ..... XmlReader
 * an element of it ........ XmlNode
 * a time in it ............ XmlTime
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3.xml;

import org.jspecify.annotations.NullMarked;
