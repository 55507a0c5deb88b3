import { describe, expect, it } from 'vitest'
import { openClickHouse } from '../connection.ts'
import { withDatabases } from '../testing/with-clickhouse.ts'
import { createUsers, PROFILE_SETTINGS, readableNames, SERVER_USERS, userStatements } from './server-users.ts'

const databases = withDatabases()
const PASSWORDS = { writer: 'correct-horse-1', api: 'battery-staple-2', analyst: 'quite-secret-3' }

describe('the users of a ClickHouse server', () => {
  it.each([{ kind: 'single' }, { kind: 'cluster', cluster: 'main', replicated: true }] as const)(
    'are created by statements that the engine can read, on $kind servers',
    async (target) => {
      const database = await databases.databaseOfTest()
      await using connection = openClickHouse(database.address('admin'))
      const { views, localTables } = await readableNames(connection, database.name)
      expect(localTables).toEqual([])
      expect(views).toEqual(expect.arrayContaining(['activities', 'position_snapshots', 'ledgers']))
      const statements = userStatements({ database: database.name, views, passwords: PASSWORDS, target })
      for (const statement of statements) {
        const request = { query: 'SELECT formatQuerySingleLine({statement:String}) AS text', query_params: { statement } }
        const [row] = await (await connection.client.query({ ...request, format: 'JSONEachRow' })).json<{ text: string }>()
        const onCluster = statement.includes("ON CLUSTER 'main'") ? / ON CLUSTER main( |$)/ : /^(?!.*ON CLUSTER)/
        expect(row?.text, statement).toMatch(onCluster)
        expect(statement.includes('ON CLUSTER')).toBe(target.kind === 'cluster')
      }
      expect(statements.filter((sql) => sql.startsWith('CREATE USER'))).toHaveLength(SERVER_USERS.length)
    },
  )

  it('have profiles whose settings the engine has', async () => {
    const database = await databases.databaseOfTest()
    await using connection = openClickHouse(database.address('admin'))
    const query = 'SELECT name FROM system.settings WHERE name IN {names:Array(String)}'
    const request = { query, query_params: { names: PROFILE_SETTINGS }, format: 'JSONEachRow' } as const
    const known = await (await connection.client.query(request)).json<{ name: string }>()
    expect(known.map(({ name }) => name).sort()).toEqual([...PROFILE_SETTINGS].sort())
  })

  it('have passwords that no statement holds, and an analyst who may read each view and nothing else', async () => {
    const statements = userStatements({ database: 'orrery', views: ['activities', 'ledgers'], passwords: PASSWORDS })
    for (const password of Object.values(PASSWORDS)) expect(statements.join('\n')).not.toContain(password)
    // printf correct-horse-1 | sha256sum
    expect(statements).toContain(
      "CREATE USER IF NOT EXISTS writer IDENTIFIED WITH sha256_hash BY 'abe297a361f25b8f12d20deaf880fd018a4f072135538065108a584160b327c4'",
    )
    expect(statements.filter((sql) => sql.endsWith('TO analyst'))).toEqual([
      'GRANT SELECT ON `orrery`.`activities` TO analyst',
      'GRANT SELECT ON `orrery`.`ledgers` TO analyst',
    ])
  })

  it('are refused with the reason by a server that does not let this user create them', async () => {
    const database = await databases.databaseOfTest()
    await expect(createUsers(database.address('admin'), PASSWORDS)).rejects.toMatchObject({
      kind: 'invalid',
      code: 'users_refused',
      message: expect.stringContaining('may not create users'),
    })
  })
})
