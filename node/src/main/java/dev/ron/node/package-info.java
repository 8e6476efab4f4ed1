/**
 * The ron command and the all-in-one process: the command line's root, and how the services of a
 * node are configured, trusted and wired.
 *
 * <pre>
 * the command line ......................... Ron
 * all services in one process .............. NodeProcess
 * services of this build, in start order ... Services
 * how one service is read and wired ........ ServiceKind
 * settings of the process .................. NodeConfig
 * all sections, read together .............. NodeSettings
 * tenants with their weights and limits .... TenantConfig
 * the operator's door and its settings ..... AdminService, AdminConfig
 * who may ask there for what ............... AdminRights
 * configuration read again ................. NodeReload, ReloadConfig
 * settings as they run ..................... ShowSettings
 * last lines of the log .................... RecentLog, ShowLogs
 * the machines of its cluster .............. NodeMachines, ShowCluster
 * the node's signing keys .................. NodeKeys
 * the verifier all services share .......... NodeTrust
 * rereads keys and revocations ............. TrustRefresh
 * short-lived token between services ....... RenewedToken
 * folder of everything durable ............. DataFolder, DataFolderLock
 * where each service keeps its part ........ NodeFolders
 * log to standard error .................... NodeLog
 * </pre>
 */
@NullMarked
package dev.ron.node;

import org.jspecify.annotations.NullMarked;
