// One DDL source for one server and for a cluster: placeholders in the migrations make the difference.

/** `single`: the embedded engine or one server. `cluster`: the servers that their configuration has under the name `cluster`. */
export type SchemaTarget = { readonly kind: 'single' } | ClusterTarget

export interface ClusterTarget {
  readonly kind: 'cluster'
  readonly cluster: string
  /**
   * True: replicated tables, by statements that the servers pass on to each other (`ON CLUSTER`). Both need Keeper. False: each statement is sent to
   * each shard, whose tables have no replicas.
   */
  readonly replicated: boolean
}

const REPLICA_PATH = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'"

/**
 * ClickHouse 26.3 reads the word COMMENT as an alias where it follows the name of a table or a subquery, and refuses the statement. With an alias it reads the comment. The
 * files stay as they are, because their checksums are recorded.
 */
const COMMENT_AFTER_TABLE = /(\bFROM \w+|^\))(\nCOMMENT ')/gm

/**
 * Fills in the placeholders of a migration:
 *
 *   $ON         nothing | ON CLUSTER '<cluster>' with replicas
 *   $L          nothing | _local                        the shard's own table beside the Distributed one
 *   $RMT(args)  ReplacingMergeTree(args) | ReplicatedReplacingMergeTree(path, replica, args) with replicas
 *   $GLOBAL     nothing | GLOBAL                        the set is read once from all shards, and sent to each
 *   {cluster}   the cluster's name, in cluster-only files
 */
export function render(sql: string, target: SchemaTarget): string {
  const cluster = target.kind === 'cluster' ? target.cluster : null
  const replicated = target.kind === 'cluster' && target.replicated
  return sql
    .replaceAll(/\$RMT\(([^)]*)\)/g, (_, args: string) => engine(args.trim(), replicated))
    .replaceAll('$ON', replicated ? `ON CLUSTER '${cluster}'` : '')
    .replaceAll('$L', cluster === null ? '' : '_local')
    .replaceAll('$GLOBAL ', cluster === null ? '' : 'GLOBAL ')
    .replaceAll("'{cluster}'", `'${cluster ?? ''}'`)
    .replaceAll(COMMENT_AFTER_TABLE, '$1 AS kept$2')
}

/** Whether one server passes the rendered statement on to all others. */
export function isOnCluster(rendered: string): boolean {
  return / ON CLUSTER '/.test(rendered)
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
