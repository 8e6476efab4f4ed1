/**
 * Usage: what each tenant was given, counted exactly, journaled, cut into spans, sealed in a chain.
 *
 * <pre>
 * usage of one node .................... Usage
 * cells of all tenants ................. UsageCounters
 * cells of one tenant .................. TenantCells
 * one account .......................... UsageKey
 * what the journal holds ............... UsageRecord
 * what its records come to ............. UsageState
 * what was used in a span .............. UsageSpan
 * journal of counts and cuts ........... UsageLog
 * journals counts, cuts spans .......... UsageTask
 * spans and seals in files ............. UsageFolder
 * a span as a file ..................... SpanFile
 * a span compared with its seal ........ CheckedSpan
 * a file that is not what was written .. UsageDamage, DamagedFileException
 * makes again what was damaged ......... SpanMender
 * what was used since a time ........... UsageReport
 * usage as the rewarder reads it ....... AccountingLines
 * JSON with one spelling (RFC 8785) .... CanonicalJson
 * a node's signed word for a span ...... Seal
 * seals the spans that were cut ........ SealTask
 * signs with the node's keys ........... SealSigner
 * where accounting and seals go ........ SealStore
 * seals as an epoch's accounting ....... SealList
 * checks seals one after the other ..... SealChain
 * </pre>
 */
@NullMarked
package dev.ron.usage;

import org.jspecify.annotations.NullMarked;
