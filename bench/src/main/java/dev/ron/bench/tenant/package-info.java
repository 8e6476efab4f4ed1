/**
 * Tenants that contend for a whole node: shares by weight, and what a quiet one feels.
 *
 * <pre>
 * shares and the quiet tenant, door by door ... TenantsBenchmark
 * what is asked at each door .................. TenantDoor
 * one request, each time another .............. TenantRequest
 * one connection of a tenant .................. TenantClient
 * loud tenants, their process ................. LoudTenantsMain
 * the same, running ........................... LoudTenants
 * what came of it, as a table ................. TenantResults
 * </pre>
 */
@NullMarked
package dev.ron.bench.tenant;

import org.jspecify.annotations.NullMarked;
