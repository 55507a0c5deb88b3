// `orrery activate <protocol> <version>`: which index version readers see. Rolling back is the same command.

import { OrreryError } from '@orrery/errors'
import { activateIndexVersion, foldedLedger, type IndexVersion, openClickHouse } from '@orrery/read-model'
import type { CliContext } from '../cli-context.ts'
import type { ACTIVATE_OPTIONS } from '../command-options.ts'
import type { OptionValues } from '../options.ts'
import { grouped } from '../progress.ts'
import { openDatabase } from '../verify/deployment.ts'
import { activeOf, targetOf, versionNamed, versionsOf } from '../versions/target.ts'

type ActivateOptions = OptionValues<typeof ACTIVATE_OPTIONS>

/** @throws OrreryError `unavailable`/`index_version_behind`, and the errors of `targetOf`, `versionNamed` and `openDatabase`. */
export async function activate(name: string, number: string, options: ActivateOptions, { stdout }: CliContext): Promise<void> {
  const { protocol, deployment } = await targetOf(name, options)
  await using stack = new AsyncDisposableStack()
  const connection = stack.use(openClickHouse(await openDatabase(deployment, stack)))
  const versions = await versionsOf(connection, protocol.id)
  const [before, wanted] = [activeOf(versions), versionNamed(versions, Number(number))]
  if (!(await activateIndexVersion(connection, wanted, options.force))) throw behind(before, wanted)
  const event = { event: 'activated', protocol: protocol.id, indexVersion: wanted.indexVersion, before: before.indexVersion }
  stdout.write(
    options.json
      ? `${JSON.stringify(event)}\n`
      : `Readers see index version ${wanted.indexVersion} of ${protocol.id}. Back to the earlier one: \`orrery activate ${protocol.id} ${before.indexVersion}\`.\n`,
  )
}

function behind(active: IndexVersion, wanted: IndexVersion): OrreryError {
  const [a, b] = [foldedLedger(active), foldedLedger(wanted)]
  const { protocol, indexVersion } = wanted
  return new OrreryError(
    'unavailable',
    'index_version_behind',
    `Index version ${indexVersion} of ${protocol} is behind: it is folded up to ledger ${grouped(b)}, and readers see ledger ${grouped(a)}. Nothing was changed.\nFold the rest with \`orrery replay ${protocol} --index-version ${indexVersion} --activate\`, or use --force, which shows readers an earlier ledger.`,
    { context: { indexVersion, ledger: b, active: a } },
  )
}
