/**
 * Tenants: what each may use, and whose turn it is.
 *
 * <pre>
 * what a tenant can be held to .............. TenantLimit
 * weight and limits of one tenant ........... TenantTerms
 * the tenants of a node ..................... TenantTable
 * a tenant is over a limit .................. TenantFault
 * what a tenant has used at a door .......... TenantBudget
 * the budgets of all tenants at a door ...... TenantBudgets
 * one request of a tenant at a door ......... TenantVisit
 * what tenants keep, in bytes ............... TenantStock
 * whose item goes next, by weight ........... FairQueue
 * whose request begins next at a door ....... TenantTurns
 * </pre>
 */
@NullMarked
package dev.ron.kernel.tenant;

import org.jspecify.annotations.NullMarked;
