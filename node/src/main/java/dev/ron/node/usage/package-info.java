/**
 * What tenants use of this node: settings, the tasks in the node's tree, and what the admin door
 * tells of it.
 *
 * <pre>
 * how often usage is sealed, and where ... UsageConfig
 * usage with the node's keys ............. NodeUsage
 * GET /tenants ........................... ShowTenants
 * GET /usage ............................. ShowUsage
 * GET /usage/spans ....................... ShowSpans
 * GET /usage/seals ....................... ShowSeals
 * its answer, for commands ............... ListedSeals
 * seals of a span, for an epoch .......... SealSelection
 * options that name an accounting ........ AccountingOptions
 * </pre>
 */
@NullMarked
package dev.ron.node.usage;

import org.jspecify.annotations.NullMarked;
