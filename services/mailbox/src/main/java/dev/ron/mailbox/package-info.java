/** The mailbox: what was acknowledged is never lost. */
@NullMarked
package dev.ron.mailbox;

import org.jspecify.annotations.NullMarked;
