// The `{id}` of an asset's endpoints.

import type { ContractId } from '@orrery/ledger'
import { assetMet } from '@orrery/read-model/queries'
import { z } from 'zod'
import { refuse } from '../errors.ts'
import { ContractAddress } from '../params/address.ts'
import type { RouteContext } from '../route.ts'
import type { Basis } from './basis.ts'

export const AssetPath = z.strictObject({ id: ContractAddress.describe('Token contract of the asset.') })

/** @throws 404 for a token that the index has not met up to its watermark. */
export async function knownAsset(asset: ContractId, { indexed }: Basis, { readModel, call }: RouteContext): Promise<void> {
  const [met] = await readModel.query(assetMet, { asset, watermark: indexed.last.ledger }, call)
  if (met === undefined) {
    throw refuse('not_found', `\`${asset}\` is not an asset of this index: no source priced it, no pool held it, and no activity moved it.`)
  }
}
