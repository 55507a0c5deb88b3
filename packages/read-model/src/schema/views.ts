// The names that readers use: one view without suffix over each table, with its columns, units and comments.
// A view shows each row once (FINAL) and only rows of the active adapter versions, so a replay is invisible until it is activated.
// Views are made from the column list in the database, so a migration that adds a column needs no second edit.

export interface TableColumn {
  readonly table: string
  readonly table_comment: string
  readonly name: string
  readonly type: string
  readonly comment: string
}

/** Base tables (`…_v<n>`) of the current database with their columns in order, without what the engine computes from others for its own statements. */
export const TABLE_COLUMNS_SQL = `
  SELECT c.table AS table, t.comment AS table_comment, c.name AS name, c.type AS type, c.comment AS comment
  FROM system.columns AS c INNER JOIN system.tables AS t ON t.database = c.database AND t.name = c.table
  WHERE c.database = currentDatabase() AND match(c.table, '_v[0-9]+$') AND t.engine IN ('ReplacingMergeTree', 'Distributed')
    AND c.default_kind != 'MATERIALIZED'
  ORDER BY c.table, c.position`

// Without GLOBAL each shard of a cluster would read the versions from all others, which the server refuses.
const ACTIVE = '(protocol, adapter_version) $GLOBAL IN (SELECT protocol, adapter_version FROM active_versions_v1 FINAL)'
/** They have both columns and list versions: readers see all of their rows. */
const LISTS = new Set(['active_versions_v1', 'index_versions_v1'])

/** The view statements for `columns`, in the order of their tables; `$ON` and `$GLOBAL` are still to be rendered. */
export function viewStatements(columns: readonly TableColumn[]): string[] {
  return [...Map.groupBy(columns, (column) => column.table)].map(([table, own]) => {
    const name = table.replace(/_v\d+$/, '')
    const typed = own.map((column) => `  ${quotedName(column.name)} ${column.type} COMMENT ${quoted(column.comment)}`).join(',\n')
    const names = new Set(own.map((column) => column.name))
    const versioned = names.has('protocol') && names.has('adapter_version') && !LISTS.has(table)
    return [
      `CREATE OR REPLACE VIEW ${name} $ON (\n${typed}\n) AS`,
      `SELECT ${[...names].map(quotedName).join(', ')}`,
      `FROM ${table} FINAL${versioned ? ` WHERE ${ACTIVE}` : ''}`,
      `COMMENT ${quoted(own[0]?.table_comment ?? '')}`,
    ].join('\n')
  })
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function quotedName(name: string): string {
  return `\`${name}\``
}
