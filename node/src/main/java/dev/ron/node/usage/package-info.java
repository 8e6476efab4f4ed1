/**
 * What tenants use of this node: settings, the tasks in the node's tree, and what the admin door
 * tells of it.
 *
 * <pre>
 * how often usage is sealed, and where ... UsageConfig
 * usage with the node's keys ............. NodeUsage
 * GET /usage ............................. ShowUsage
 * GET /usage/seals ....................... ShowSeals
 * </pre>
 */
@NullMarked
package dev.ron.node.usage;

import org.jspecify.annotations.NullMarked;
