// One DDL source for one engine and for a cluster: three placeholders in the migrations make the difference.

/** `single`: the embedded engine or one server. `cluster`: its name as in the servers' configuration. */
export type SchemaTarget = { readonly kind: 'single' } | { readonly kind: 'cluster'; readonly cluster: string }

const REPLICA_PATH = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'"

/**
 * Fills in the placeholders of a migration:
 *
 *   $ON         nothing | ON CLUSTER '<cluster>'
 *   $L          nothing | _local                        the shard's own table beside the Distributed one
 *   $RMT(args)  ReplacingMergeTree(args) | ReplicatedReplacingMergeTree(path, replica, args)
 *   {cluster}   the cluster's name, in cluster-only files
 */
export function render(sql: string, target: SchemaTarget): string {
  const cluster = target.kind === 'cluster' ? target.cluster : null
  return sql
    .replaceAll(/\$RMT\(([^)]*)\)/g, (_, args: string) => engine(args.trim(), cluster !== null))
    .replaceAll('$ON', cluster === null ? '' : `ON CLUSTER '${cluster}'`)
    .replaceAll('$L', cluster === null ? '' : '_local')
    .replaceAll("'{cluster}'", `'${cluster ?? ''}'`)
}

function engine(args: string, replicated: boolean): string {
  if (!replicated) return `ReplacingMergeTree(${args})`
  return `ReplicatedReplacingMergeTree(${REPLICA_PATH}${args === '' ? '' : `, ${args}`})`
}

/** The statements of a file. A statement ends with a semicolon at the end of a line; comment lines before it are left out. */
export function statementsOf(sql: string): string[] {
  return sql
    .split(/;[ \t]*(?:\r?\n|$)/)
    .map((part) => part.replaceAll(/^--.*$/gm, '').trim())
    .filter((part) => part !== '')
}
