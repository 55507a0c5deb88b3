// What `metadata` of a pool is, by its type.

import type { z } from 'zod'
import type { JsonSchema } from '../../json-schema.ts'
import type { PoolItem } from './pool-item.ts'
import { AmmMetadata, LendingMetadata, StakingMetadata, VaultMetadata } from './pool-metadata.ts'

const SCHEMAS: Readonly<Record<PoolItem['type'], z.ZodType>> = {
  lending: LendingMetadata,
  constant_product: AmmMetadata,
  stable: AmmMetadata,
  concentrated: AmmMetadata,
  unknown: AmmMetadata,
  vault: VaultMetadata,
  staking: StakingMetadata,
}

/** A pool is one of these. */
export const POOL_VARIANTS: readonly JsonSchema[] = Object.entries(SCHEMAS).map(([type, schema]) => ({
  required: ['type', 'metadata'],
  properties: { type: { const: type }, metadata: { $ref: `#/components/schemas/${schema.meta()?.id}` } },
}))
