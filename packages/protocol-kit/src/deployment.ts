// A deployment of a protocol: the contracts that the registry names as roots of trust. One declaration gives the schema of the registry file
// (snake_case), the TypeScript type (camelCase) and both directions between them.

import { isContractId } from '@orrery/ledger'
import { z } from 'zod'

/** A contract address of a registry file, checked down to its checksum: one with a typing error would be followed in vain. */
export const ContractAddress = z.string().refine(isContractId, { error: 'is not a contract address (C… with a right checksum)' })
/** Sequence of a ledger, u32. */
export const LedgerSequence = z.int().min(1).max(0xffff_ffff)

/** What every deployment has. Its other members are the protocol's own. */
export interface Deployment {
  /** First ledger that its contracts are tracked at. */
  readonly fromLedger: number
}

type Shape = Readonly<Record<string, z.ZodType>> & { readonly from_ledger: typeof LedgerSequence }

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name
type Deep<T> = T extends readonly (infer Item)[] ? readonly Item[] : T

/** The deployment that a declaration describes: `backstop_token` of the file is `backstopToken`. */
export type DeploymentOf<Declared> =
  Declared extends DeploymentKind<infer S> ? { readonly [Name in keyof S & string as Camel<Name>]: Deep<z.output<S[Name]>> } : never

export interface DeploymentKind<S extends Shape = Shape> {
  /** Members as the registry file spells them, each with its schema. Written in this order. */
  readonly shape: S
  /** The member that tells deployments apart; two with the same one are refused. */
  readonly identity: string
}

/** @param kind.shape Arrays and texts only, beside numbers and null: what is read is written as it was. */
export function defineDeployment<const S extends Shape>(kind: {
  readonly shape: S
  readonly identity: keyof S & string
}): DeploymentKind<S> {
  return kind
}

/** From the members of a registry file, already checked by their schemas. */
export function readDeployment({ shape }: DeploymentKind, file: Readonly<Record<string, unknown>>): Deployment {
  return Object.fromEntries(Object.keys(shape).map((name) => [camelCase(name), file[name]])) as unknown as Deployment
}

/** The members as the registry file spells them. */
export function writeDeployment({ shape }: DeploymentKind, deployment: Deployment): Record<string, unknown> {
  const members = deployment as unknown as Readonly<Record<string, unknown>>
  return Object.fromEntries(Object.keys(shape).map((name) => [name, members[camelCase(name)]]))
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
