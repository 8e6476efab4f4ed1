/**
 * Bounded queues, watched values and broadcasts between tasks.
 *
 * <pre>
 * bounded queue between tasks ........... Channel
 * what a full channel does .............. Overflow
 * which item goes next .................. ChannelOrder
 * result of a send, of a receive ........ SendResult, ReceiveOutcome
 * one value, last write wins ............ Watch
 * events to all subscribers ............. Broadcast
 * something a task can wait for ......... Inbox
 * wakes one task; those of an inbox ..... Bell, Bells
 * items the current step has received ... StepItems
 * </pre>
 */
@NullMarked
package dev.ron.kernel.channel;

import org.jspecify.annotations.NullMarked;
