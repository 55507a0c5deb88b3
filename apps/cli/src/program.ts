// The commands of `orrery`, as commander reads them. What a command does is in `commands/`.
// Commands are loaded when they run: `orrery --help` should not start an engine, nor wait for the code of the protocols.

import { Command } from 'commander'
import type { CliContext } from './cli-context.ts'
import {
  ACTIVATE_OPTIONS,
  ADAPTER_OPTIONS,
  API_OPTIONS,
  BACKUP_OPTIONS,
  DIFF_OPTIONS,
  EXPORT_OPTIONS,
  INGEST_OPTIONS,
  MCP_OPTIONS,
  MIGRATE_OPTIONS,
  NOTIFY_OPTIONS,
  REPLAY_OPTIONS,
  RESTORE_OPTIONS,
  RETIRE_OPTIONS,
  SECRETS_OPTIONS,
  STATUS_OPTIONS,
  UP_OPTIONS,
  VERIFY_OPTIONS,
} from './command-options.ts'
import { addOrgCommands } from './commands/org/commands.ts'
import { addOptions, type OptionTable, overlay, readOptions } from './options.ts'
import { version } from './version.ts'

const EXAMPLES = `
Examples:
  orrery up                                       the recorded demo network, served on http://127.0.0.1:8080
  orrery up --network net.json --lake ./lake      another network from its lake
  orrery up --network testnet --rpc https://…     a live network, as far back as the RPC reaches
  orrery status                                   the progress of the index in .orrery
  orrery verify                                   whether that index is what its ledgers give, row by row
  orrery replay blend                             fold Blend's history again, beside what readers see
  orrery export activities --output a.parquet     the rows of a view as a file; --request '/v1/…': a series
  orrery backup --output ./monday                 a copy of .orrery, for orrery restore --backup ./monday
  orrery org key create --org demo --name laptop  another API key for the demo organization
  orrery mcp                                      the data of the running index as tools of a language model
  orrery secrets                                  the demo key and the other secrets in .orrery

Every option is also a variable: --from-ledger is ORRERY_FROM_LEDGER. A flag wins.
Exit codes: 0 done, 1 failed, 2 wrong usage, 75 try again later, 130 ended by the second Ctrl-C.`

/** `blend, aquarius, soroswap or fxdao`. */
async function protocolNames(): Promise<string> {
  const { PROTOCOLS } = await import('@orrery/protocols')
  return PROTOCOLS.map(({ id }) => id)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ')
}

/** Commands whose texts name the protocols: they are loaded only for these. */
const OF_PROTOCOL = ['adapter', 'replay', 'diff', 'activate', 'retire']

export async function buildProgram(args: readonly string[], context: CliContext): Promise<Command> {
  const protocol = OF_PROTOCOL.some((name) => args.includes(name)) ? await protocolNames() : 'a protocol'
  const program = new Command('orrery')
    .description('Exact, complete and provable data on DeFi positions of the Stellar network')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('Run `orrery --help` for the commands and their options.')
    .configureOutput({ writeOut: (text) => context.stdout.write(text), writeErr: (text) => context.stderr.write(text) })
    .exitOverride()

  command(program, 'up', 'run everything in one process', UP_OPTIONS).action(async (flags) => {
    const { up } = await import('./commands/up.ts')
    await up(readOptions(UP_OPTIONS, flags, context.env), context)
  })
  command(program, 'ingest', 'read ledgers into the event log', INGEST_OPTIONS).action(async (flags) => {
    const { runIngest } = await import('@orrery/ingest')
    const { openReportedGaps } = await import('./reported-gaps.ts')
    await runIngest(overlay(INGEST_OPTIONS, flags, context.env), openReportedGaps)
  })
  command(program, 'adapter', 'fold the event log of one protocol into ClickHouse', ADAPTER_OPTIONS)
    .argument('<protocol>', `${protocol}; the network must deploy it`)
    .action(async (protocol, flags) => {
      const { runAdapter } = await import('@orrery/adapter')
      await runAdapter(protocol, overlay(ADAPTER_OPTIONS, flags, context.env))
    })
  command(program, 'api', 'serve /v1 from ClickHouse', API_OPTIONS).action(async (flags) => {
    const { runApi } = await import('@orrery/api')
    await runApi(overlay(API_OPTIONS, flags, context.env))
  })
  command(program, 'notify', 'deliver webhooks: events of the index, to the addresses of organizations', NOTIFY_OPTIONS).action(
    async (flags) => {
      const { runNotify } = await import('@orrery/notify')
      await runNotify(overlay(NOTIFY_OPTIONS, flags, context.env))
    },
  )
  command(program, 'migrate', 'create or update the tables of a ClickHouse server', MIGRATE_OPTIONS).action(async (flags) => {
    const { migrateTables } = await import('./commands/migrate.ts')
    await migrateTables(readOptions(MIGRATE_OPTIONS, flags, context.env), context)
  })
  command(program, 'status', 'show partitions, checkpoints, lag and notices', STATUS_OPTIONS).action(async (flags) => {
    const { status } = await import('./commands/status.ts')
    await status(readOptions(STATUS_OPTIONS, flags, context.env), context)
  })
  command(program, 'verify', 'compare the index with its log, its source and a second fold of every row', VERIFY_OPTIONS).action(
    async (flags) => {
      const { verify } = await import('./commands/verify.ts')
      await verify(readOptions(VERIFY_OPTIONS, flags, context.env), context)
    },
  )
  command(program, 'replay', 'fold the history of a protocol again, beside the rows that readers see', REPLAY_OPTIONS)
    .argument('<protocol>', protocol)
    .action(async (name, flags) => {
      const { replay } = await import('./commands/replay.ts')
      await replay(name, readOptions(REPLAY_OPTIONS, flags, context.env), context)
    })
  command(program, 'diff', 'compare two index versions of a protocol', DIFF_OPTIONS)
    .argument('<protocol>', protocol)
    .argument('[a]', 'index version; the one that readers see when not given')
    .argument('[b]', 'index version; the newest other one when not given')
    .action(async (name, a, b, flags) => {
      const { diff } = await import('./commands/diff.ts')
      const numbers = [a, b].filter((it) => it !== undefined)
      await diff(name, numbers, readOptions(DIFF_OPTIONS, flags, context.env), context)
    })
  command(program, 'activate', 'choose the index version of a protocol that readers see', ACTIVATE_OPTIONS)
    .argument('<protocol>', protocol)
    .argument('<version>', 'index version, as `orrery status` and `orrery replay` show it')
    .action(async (name, version, flags) => {
      const { activate } = await import('./commands/activate.ts')
      await activate(name, version, readOptions(ACTIVATE_OPTIONS, flags, context.env), context)
    })
  command(program, 'retire', 'delete the rows of an index version that readers do not see', RETIRE_OPTIONS)
    .argument('<protocol>', protocol)
    .argument('<version>', 'index version')
    .action(async (name, version, flags) => {
      const { retire } = await import('./commands/retire.ts')
      await retire(name, version, readOptions(RETIRE_OPTIONS, flags, context.env), context)
    })
  command(program, 'export', 'write the rows of a view, or the points of a series, to a CSV, JSON or Parquet file', EXPORT_OPTIONS)
    .argument('[view]', 'as in the page for analysts; all views are listed when not given')
    .action(async (view, flags) => {
      const options = readOptions(EXPORT_OPTIONS, flags, context.env)
      if (options.request !== undefined) {
        const { exportSeries } = await import('./commands/export-series.ts')
        return exportSeries(options.request, view, options, context)
      }
      const { exportRows } = await import('./commands/export.ts')
      await exportRows(view, options, context)
    })
  command(program, 'mcp', 'serve /v1 as tools of language models (Model Context Protocol)', MCP_OPTIONS).action(async (flags) => {
    const { mcp } = await import('./commands/mcp.ts')
    await mcp(readOptions(MCP_OPTIONS, flags, context.env), context)
  })
  command(program, 'backup', 'copy everything in a data folder, also while `orrery up` runs on it', BACKUP_OPTIONS).action(
    async (flags) => {
      const { backUp } = await import('./commands/backup.ts')
      await backUp(readOptions(BACKUP_OPTIONS, flags, context.env), context)
    },
  )
  command(program, 'restore', 'make a data folder from a backup', RESTORE_OPTIONS).action(async (flags) => {
    const { restore } = await import('./commands/restore.ts')
    await restore(readOptions(RESTORE_OPTIONS, flags, context.env), context)
  })
  command(program, 'secrets', 'print the key, tokens and passwords that a data folder holds', SECRETS_OPTIONS).action(async (flags) => {
    const { showSecrets } = await import('./commands/secrets.ts')
    await showSecrets(readOptions(SECRETS_OPTIONS, flags, context.env), context)
  })
  addOrgCommands(program, context)
  command(program, 'version', 'print the version', {}).action(() => {
    context.stdout.write(`${version()}\n`)
  })
  return program
}

function command(program: Command, name: string, description: string, options: OptionTable): Command {
  const made = program.command(name).description(description).helpOption('-h, --help', 'print this help')
  return addOptions(made.showHelpAfterError(`Run \`orrery ${name} --help\` for its options.`), options)
}
