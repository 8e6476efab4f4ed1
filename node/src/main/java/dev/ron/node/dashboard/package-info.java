/**
 * The dashboard's pages and their way to the services of the node.
 *
 * <pre>
 * the dashboard's own files .............. DashboardPages
 * passes a page's request to a service ... DashboardProxy
 * what an answer may be there ............ DashboardProxyPolicy
 * signs it for buckets and queues ........ PassageSignature
 * the last hour in figures ............... MetricsHistory, ShowHistory
 * one service at one moment .............. HistoryPoint, RequestCounts
 * </pre>
 */
@NullMarked
package dev.ron.node.dashboard;

import org.jspecify.annotations.NullMarked;
