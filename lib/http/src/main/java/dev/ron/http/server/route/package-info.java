/**
 * Routes: what a server answers, how a request finds it, and how it is documented.
 *
 * <pre>
 * one method of one path .................... Route
 * routes of a server, in order .............. Routes
 * finds the route of a request .............. RouteTable
 * a route with its metrics .................. BoundRoute
 * pattern of a path, with parameters ........ PathPattern
 * routes that every server has .............. ServiceRoutes
 * text of the metrics, made once a second ... MetricsPage
 * the OpenAPI document ...................... OpenApi
 * </pre>
 */
@NullMarked
package dev.ron.http.server.route;

import org.jspecify.annotations.NullMarked;
