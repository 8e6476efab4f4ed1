/** What the tests of this module share: a raw client, a server in hand, and the leak check. */
@org.jspecify.annotations.NullMarked
package dev.ron.http.testing;
