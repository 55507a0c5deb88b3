// What the commands of index versions work on: one protocol of one index, in a data folder, running or stopped, or on a ClickHouse server.

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { OrreryError } from '@orrery/errors'
import type { Network, Protocol, ProtocolId } from '@orrery/protocol-kit'
import { PROTOCOLS, protocolsOf } from '@orrery/protocols'
import { type ClickHouseAddress, type ClickHouseConnection, type IndexVersion, readIndexVersions } from '@orrery/read-model'
import { loadNetwork } from '@orrery/registry'
import type { VERSION_OPTIONS } from '../command-options.ts'
import { DEMO } from '../demo.ts'
import type { OptionValues } from '../options.ts'
import type { Deployment } from '../verify/deployment.ts'

export type VersionOptions = OptionValues<typeof VERSION_OPTIONS>

export interface Target {
  readonly protocol: Protocol<unknown>
  readonly deployment: Omit<Deployment, 'log'>
}

/** @throws the errors of the registry file. */
export async function deploymentOf(
  options: VersionOptions,
): Promise<{ readonly network: Network; readonly deployment: Omit<Deployment, 'log'> }> {
  const { data, network: named, clickhouseUrl: url, clickhouseUser: user = 'admin', clickhousePassword: password = '' } = options
  const kept = join(resolve(data), 'registry.json')
  const network = await loadNetwork(PROTOCOLS, named ?? (existsSync(kept) ? kept : DEMO))
  const clickhouse: ClickHouseAddress | null = url === undefined ? null : { url, user, password, database: options.clickhouseDatabase }
  return { network, deployment: { network, protocols: PROTOCOLS, data, clickhouse } }
}

/** @throws OrreryError `invalid`/`unknown_protocol`, and the errors of the registry file. */
export async function targetOf(name: string, options: VersionOptions): Promise<Target> {
  const { network, deployment } = await deploymentOf(options)
  return { protocol: protocolOf(name, network), deployment }
}

function protocolOf(name: string, network: Network): Protocol<unknown> {
  const deployed = protocolsOf(network)
  const found = deployed.find(({ id }) => id === name)
  if (found !== undefined) return found
  const known = deployed.map(({ id }) => id).join(', ')
  throw new OrreryError(
    'invalid',
    'unknown_protocol',
    `The network ${network.name} has no index of "${name}". Nothing was changed. It has: ${known}.`,
  )
}

/** The versions that have rows. @throws OrreryError `not_found`/`index_absent` when there is none. */
export async function versionsOf(connection: ClickHouseConnection, protocol: ProtocolId): Promise<readonly IndexVersion[]> {
  const versions = await readIndexVersions(connection, protocol)
  if (versions.length > 0) return versions
  throw new OrreryError(
    'not_found',
    'index_absent',
    `Nothing of ${protocol} has been indexed here. Nothing was changed. Run \`orrery up\` first.`,
  )
}

export function activeOf(versions: readonly IndexVersion[]): IndexVersion {
  const found = versions.find(({ isActive }) => isActive)
  if (found !== undefined) return found
  throw new OrreryError('not_found', 'index_absent', 'Readers see no index version yet. Nothing was changed. Run `orrery up` first.')
}

/** @throws OrreryError `not_found`/`unknown_index_version` where there is none with this number, or its rows are deleted. */
export function versionNamed(versions: readonly IndexVersion[], number: number): IndexVersion {
  const found = versions.find(({ indexVersion, isRetired }) => indexVersion === number && !isRetired)
  if (found !== undefined) return found
  const known = versions.filter(({ isRetired }) => !isRetired).map(({ indexVersion }) => indexVersion)
  throw new OrreryError(
    'not_found',
    'unknown_index_version',
    `There is no index version ${number} of ${versions[0]?.protocol}. Nothing was changed. There are: ${known.join(', ')}.`,
  )
}
